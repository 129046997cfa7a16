// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Testing

/// A trailer section holds field lines alone (RFC 9112 section 7.1.2). One that does not ends the load with -1017 while the
/// server keeps the connection open, also where the client pauses at the head and libcurl finds the line when it continues.
@Suite struct BrokenTrailerTests {
  private static let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ncase\r\n0\r\n"
  private static let broken = [
    "bad\r\n\r\n", "bad\r\n\r\nmore", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad", "Kept: yes\r\nbad\r\n\r\n",
  ]
  private static let lawful = ["\r\n", "Kept: yes\r\n\r\n", "Kept: yes\r\n\r\nmore"]

  @Test(arguments: ClientKind.allCases)
  func `a trailer that is no field ends the load at once, paused or not (U1)`(kind: ClientKind) async throws {
    let server = try TextServer { !$0.hasPrefix("/n/") }
    defer { server.raw.stop() }
    let client = kind.makeClient()
    for (number, trailer) in (Self.broken + Self.lawful).enumerated() {
      let load = try client.start(server.raw.url("/n/\(number)"))
      let asked = try await server.request("/n/\(number)")
      asked.reply(Array((Self.start + trailer).utf8))
      let end = await load.ending()
      if Self.broken.contains(trailer) {
        #expect(end.code == -1017, "\(trailer.debugDescription): \(end)")
      } else {
        #expect(end.isSuccess && end.body == Array("case".utf8), "\(trailer.debugDescription): \(end)")
      }
    }
    await client.close()
  }
}
