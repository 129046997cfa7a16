// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LessonServer

@Suite struct SocketTests {
  @Test func `the acceptance is that of RFC 6455 section 1_3`() {
    #expect(Connection.acceptance(of: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func `frames are written as in RFC 6455 section 5_7`() {
    #expect(SocketFrame.text("Hello").bytes == [0x81, 5, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
    let masked = SocketFrame(1, Array("Hello".utf8), mask: [0x37, 0xfa, 0x21, 0x3d])
    #expect(masked.bytes == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
    #expect(SocketFrame(2, [UInt8](repeating: 0, count: 256)).bytes.prefix(4) == [0x82, 126, 1, 0])
    #expect(
      SocketFrame(2, [UInt8](repeating: 0, count: 65_536)).bytes.prefix(10) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(SocketFrame.close(1000, "x").bytes == [0x88, 3, 3, 232, 120])
  }

  private static let handshake = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ].map { $0 + "\r\n" }.joined()

  @Test func `messages come back in fragments, pings as pongs, and a close frame ends the connection`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /socket?fragment=2&protocol=chat HTTP/1.1\r\nHost: localhost\r\n\(Self.handshake)\r\n")
      let head = try client.readHead()
      #expect(head.hasPrefix("HTTP/1.1 101 ") && head.contains("Sec-WebSocket-Protocol: chat"))
      let mask: [UInt8] = [1, 2, 3, 4]
      client.send(SocketFrame(1, [97, 98, 99], mask: mask).bytes)
      #expect(try client.read(7) == [0x01, 2, 97, 98, 0x80, 1, 99])
      client.send(SocketFrame(9, [5], mask: mask).bytes)
      #expect(try client.read(3) == [0x8a, 1, 5])
      client.send(SocketFrame(8, [3, 232], mask: mask).bytes)
      #expect(client.readToEnd() == ([0x88, 2, 3, 232], .fin))
    }
  }

  @Test func `a client that does not mask is told 1002, and one without a key gets 400`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /socket HTTP/1.1\r\nHost: localhost\r\n\(Self.handshake)\r\n")
      _ = try client.readHead()
      client.send(SocketFrame.text("plain").bytes)
      #expect(client.readToEnd().bytes.prefix(4) == [0x88, 12, 3, 234])
      #expect(try TestClient(server).get("/socket").status == 400)
    }
  }

  @Test func `an opening that echoes sends back what comes until the client ends`() async throws {
    let server = LessonServer(routes: [], opening: [.echo])
    try server.start()
    try await onThread {
      let client = try TestClient(server)
      client.send("hello")
      #expect(try client.read(5) == Array("hello".utf8))
      shutdown(client.descriptor, CInt(SHUT_WR))
      #expect(client.readToEnd() == ([], .fin))
    }
  }
}
