// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import Testing

/// Connections of HTTP/2 that break with several loads on them (RFC 9113 section 5.4.1): the client says GOAWAY, or the server ends
/// TCP. What breaks is the connection, so none of its loads waits for its time-out.
@Suite struct BrokenConnectionTests {
  private static let ways = CutWay.all.filter { $0.reach == .connection }

  @Test(arguments: ClientKind.streaming, [false, true])
  func `every load of a connection of HTTP/2 that breaks hears of it before its time is over (H2-11)`(
    kind: ClientKind, hasLength: Bool
  ) async throws {
    for way in Self.ways {
      let server = try FrameServer()
      let client = kind.makeClient()
      var loads: [(load: Observation, stream: FrameServer.Stream)] = []
      for number in 1...4 {
        let load = try client.start(server.raw.url("/\(number)"))
        let stream = try await server.stream("/\(number)")
        stream.send(stream.head(200, hasLength ? [("content-length", "1000")] : []), stream.data(Array("part".utf8)))
        try await server.isRead(stream.connection)
        loads.append((load, stream))
      }
      way.play(loads[1].stream)
      for (index, load) in loads.map(\.load).enumerated() {
        let end = await load.ending()
        if end.code != -1005 {
          Issue.record("\(way.name), \(kind.rawValue), \(hasLength), load \(index + 1): ended with \(end)")
        }
      }
      await client.close()
      server.raw.stop()
    }
  }
}
