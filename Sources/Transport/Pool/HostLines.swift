// SPDX-License-Identifier: Apache-2.0

/// The transfers that have a turn at a host, and those that wait, first come first served.
///
/// libcurl holds back what goes beyond CURLMOPT_MAX_HOST_CONNECTIONS, but lets a newcomer that finds a connection free pass
/// those that wait. So plain http waits here. Over https it is not known beforehand whether a connection is shared (HTTP/2), so
/// that is left to libcurl. Pure.
struct HostLines<Member: AnyObject> {
  private struct Line {
    var running = 0
    var waiting: [Member] = []
    /// How many of `waiting` have had their turn; they are taken out by and by.
    var gone = 0

    mutating func enter(_ member: Member, limit: Int) -> Bool {
      let mayBegin = running < limit
      if mayBegin { running += 1 } else { waiting.append(member) }
      return mayBegin
    }

    mutating func release() -> Member? {
      guard gone < waiting.count else {
        running -= 1
        return nil
      }
      let next = waiting[gone]
      gone += 1
      if gone * 2 > waiting.count {
        waiting.removeFirst(gone)
        gone = 0
      }
      return next
    }
  }

  private let limit: Int
  private var lines: [String: Line] = [:]

  /// Lines with so many turns at a time for each host.
  init(limit: Int) {
    self.limit = limit
  }

  /// True if `member` may begin at once; otherwise it waits until `release` returns it, or `drop` takes it away.
  mutating func enter(_ member: Member, at host: String) -> Bool {
    lines[host, default: Line()].enter(member, limit: limit)
  }

  /// A member whose turn is over releases the host: returns the next one, whose turn it is now.
  mutating func release(_ host: String) -> Member? {
    guard let index = lines.index(forKey: host) else { return nil }
    let next = lines.values[index].release()
    if lines.values[index].running == 0 { lines.remove(at: index) }
    return next
  }

  /// One that waits does so no longer. False when it does not wait.
  mutating func drop(_ member: Member, at host: String) -> Bool {
    guard let line = lines[host], line.waiting.count > line.gone,
      let place = line.waiting[line.gone...].firstIndex(where: { $0 === member })
    else { return false }
    lines[host]?.waiting.remove(at: place)
    return true
  }
}
