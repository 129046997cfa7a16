// SPDX-License-Identifier: Apache-2.0
import Locking
import SessionAPI

/// Two loads in mid body on one connection of HTTP/2, of which one is cut: neither succeeds with a part, and no part of
/// either is stored.
struct CutRun {
  let kind: ClientKind
  let hasLength: Bool
  /// Each breach as a sentence.
  private(set) var breaches: [String] = []

  static let part = Array(String(repeating: "0123456789", count: 50).utf8)
  static let rest = Array("REST".utf8)
  static let again = Array("again".utf8)

  init(_ kind: ClientKind, hasLength: Bool) {
    (self.kind, self.hasLength) = (kind, hasLength)
  }

  /// Both loads are beside each other on a connection that a first load has opened. Requests after the first of a path
  /// are answered by the server itself, with another body than the first.
  mutating func run(_ way: CutWay) async throws {
    let asked = Locked<Set<String>>(["/warm"])
    let server = try FrameServer { stream in
      asked.withLock { $0.insert(stream.path).inserted } ? nil : Self.again
    }
    defer { server.raw.stop() }
    let client = kind.makeClient()
    _ = try await client.start(server.raw.url("/warm")).ending()
    // What is late costs its whole time-out.
    let neighbour = try client.start(server.raw.url("/neighbour")) { $0.timeoutInterval /= 3 }
    let other = try await server.stream("/neighbour")
    let own = try client.start(server.raw.url("/own")) { $0.timeoutInterval /= 3 }
    let stream = try await server.stream("/own")
    guard other.connection === stream.connection else {
      return breaches.append("\(way.name): the loads have a connection each")
    }
    for part in [other, stream] { part.send(part.head(200, fields), part.data(Self.part)) }
    try await server.isRead(stream.connection)

    way.play(stream)
    let ownEnd = await own.ending()
    // Where the connection still stands, the neighbour's body comes to its end.
    other.send(other.data(Self.rest, ends: true))
    let neighbourEnd = await neighbour.ending()
    judge(way, "the load", ownEnd, [Self.again])
    judge(way, "its neighbour", neighbourEnd, [Self.part + Self.rest, Self.again])
    if way.reach == .stream, !neighbourEnd.isSuccess { report(way, "its neighbour", neighbourEnd) }

    for path in ["/own", "/neighbour"] {
      let end = try await client.start(server.raw.url(path)).ending()
      let whole = [Self.again] + (path == "/own" ? [] : [Self.part + Self.rest])
      if !end.isSuccess || !whole.contains(end.body) { report(way, "asked again, \(path)", end) }
    }
    await client.close()
  }

  private var fields: [Frame.Field] {
    let length = [("content-length", "\(Self.part.count + Self.rest.count)")]
    return [("cache-control", "max-age=1000")] + (hasLength ? length : [])
  }

  /// An end by time-out is no breach: libcurl may not tell that the load was over.
  private mutating func judge(_ way: CutWay, _ name: String, _ end: Ended, _ whole: [[UInt8]]) {
    if end.isMissing || end.isSuccess && !whole.contains(end.body) { report(way, name, end) }
  }

  private mutating func report(_ way: CutWay, _ name: String, _ end: Ended) {
    breaches.append("\(way.name): \(name) ended with \(end)")
  }
}
