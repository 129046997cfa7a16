// SPDX-License-Identifier: Apache-2.0
import Measuring

/// Loads that a report shows in one row: a program may make ten thousand that are alike.
struct LoadGroup {
  /// How many rows a report has; up to so many loads each have one of their own.
  static let most = 40

  private struct Kind: Hashable {
    var method: String
    var url: String
    var status: Int
    var error: String?
    var connection: Bool?
    var isStarted: Bool
    var hasEnded: Bool

    init(_ load: LoadRow) {
      (method, url, status, error) = (load.method, load.url, load.status, load.error)
      (connection, isStarted, hasEnded) = (load.isNewConnection, load.isStarted, load.ended != nil)
    }
  }

  /// One load that stands for all: their bytes together, the longest time and the longest wait.
  private(set) var load: LoadRow
  private(set) var count = 1

  private mutating func add(_ other: LoadRow) {
    count += 1
    load.bytes += other.bytes
    load.longestWait = max(load.longestWait, other.longestWait)
    if let ended = load.ended, let other = other.ended.map({ $0 - other.began }), other > ended - load.began {
      load.ended = load.began + other
    }
  }

  /// The groups of these loads, in the order of their first ones.
  static func of(_ loads: [LoadRow]) -> [LoadGroup] {
    guard loads.count > most else { return loads.map { LoadGroup(load: $0) } }
    var (groups, known) = ([LoadGroup](), [Kind: Int]())
    for load in loads {
      if let index = known[Kind(load)] {
        groups[index].add(load)
      } else {
        known[Kind(load)] = groups.count
        groups.append(LoadGroup(load: load))
      }
    }
    return groups
  }
}
