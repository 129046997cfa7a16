// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

@Suite struct WebSocketHandshakeTests {
  static let key: [UInt8] = Array("the sample nonce".utf8)

  static func head(_ status: Int = 101, _ more: [(String, String)] = [], accept: String? = nil) -> ResponseHead {
    let fields = [
      ("Upgrade", "WebSocket"), ("Connection", "keep-alive, Upgrade"),
      ("Sec-WebSocket-Accept", accept ?? "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]
    return ResponseHead(
      status: status, version: "HTTP/1.1", fields: (fields + more).map { HeaderField(name: $0, value: $1) },
      decodedCodings: [])
  }

  @Test func `the sample of RFC 6455 section 1_3 is accepted`() {
    let handshake = WebSocketHandshake(protocols: ["chat"], key: Self.key)
    #expect(handshake.key == "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(handshake.refusal(of: Self.head()) == nil)
    #expect(handshake.refusal(of: Self.head(101, [("Sec-WebSocket-Protocol", "chat")])) == nil)
  }

  @Test func `an answer that proves nothing is refused`() {
    let handshake = WebSocketHandshake(protocols: ["chat"], key: Self.key)
    #expect(handshake.refusal(of: Self.head(200)) != nil)
    #expect(handshake.refusal(of: Self.head(accept: "s3pPLMBiTxaQ9kYGzzhZRbK+xOp=")) != nil)
    #expect(handshake.refusal(of: Self.head(101, [("Upgrade", "h2c")])) != nil)
    #expect(handshake.refusal(of: Self.head(101, [("Sec-WebSocket-Extensions", "permessage-deflate")])) != nil)
    #expect(handshake.refusal(of: Self.head(101, [("Sec-WebSocket-Protocol", "other")])) != nil)
    #expect(handshake.refusal(of: Self.head(101, [("Sec-WebSocket-Protocol", "chat, chat")])) != nil)
    for missing in ["upgrade", "connection", "sec-websocket-accept"] {
      var head = Self.head()
      head.fields.removeAll { $0.name.lowercased() == missing }
      #expect(handshake.refusal(of: head) != nil, "\(missing)")
    }
  }

  @Test func `a program's own sub-protocols stay, its other fields of the handshake go`() {
    var handshake = WebSocketHandshake(protocols: ["lost"], key: Self.key)
    var fields = [
      HeaderField(name: "Sec-WebSocket-Protocol", value: "one, two"),
      HeaderField(name: "sec-websocket-key", value: "k"),
      HeaderField(name: "Sec-WebSocket-Extensions", value: "permessage-deflate"),
    ]
    handshake.add(to: &fields)
    #expect(handshake.protocols == ["one", "two"])
    #expect(fields.map(\.value) == ["one, two", handshake.key, "13"])
  }

  @Test func `keys are new each time`() {
    #expect(WebSocketHandshake(protocols: []).key != WebSocketHandshake(protocols: []).key)
    #expect(Data(base64Encoded: WebSocketHandshake(protocols: []).key)?.count == 16)
  }

  @Test(
    arguments: [
      ("ws://a/b?c", "http://a/b?c"), ("WSS://a:1", "https://a:1"), ("http://a/", nil), ("file:///ws", nil),
    ] as [(String, String?)])
  func `ws and wss are http and https`(text: String, expected: String?) throws {
    let request = URLRequest(url: try #require(URL(string: text)))
    #expect(WebSocketURL.overHTTP(request)?.url?.absoluteString == expected)
  }
}
