// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// The opening handshake of a WebSocket from the client's side (RFC 6455 section 4.1). Pure, but for the key's origin.
struct WebSocketHandshake: Sendable {
  /// The value of `Sec-WebSocket-Key`.
  let key: String
  /// The sub-protocols that were offered, in the order of preference.
  private(set) var protocols: [String]

  /// A handshake with a key of 16 random bytes, or with a known one.
  init(protocols: [String], key: [UInt8] = (0..<16).map { _ in .random(in: .min ... .max) }) {
    self.protocols = protocols
    self.key = Data(key).base64EncodedString()
  }

  /// Fields of a program's own that are the handshake's business.
  private static let reserved: Set<String> = [
    "sec-websocket-key", "sec-websocket-version", "sec-websocket-accept", "sec-websocket-extensions",
  ]

  /// Adds the handshake to a request's fields. Sub-protocols that the request names itself stay, and count as offered.
  mutating func add(to fields: inout [HeaderField]) {
    fields.removeAll { Self.reserved.contains($0.name.lowercased()) }
    fields.append(HeaderField(name: "Sec-WebSocket-Key", value: key))
    fields.append(HeaderField(name: "Sec-WebSocket-Version", value: "13"))
    let own = Self.values(of: "sec-websocket-protocol", in: fields)
    if !own.isEmpty {
      protocols = own
    } else if !protocols.isEmpty {
      fields.append(HeaderField(name: "Sec-WebSocket-Protocol", value: protocols.joined(separator: ", ")))
    }
  }

  /// Why the server's answer opens no WebSocket, as a sentence; nil when it does.
  func refusal(of head: ResponseHead) -> String? {
    guard head.status == 101 else { return "The server answered with \(head.status), not with 101." }
    guard Self.values(of: "upgrade", in: head.fields).map({ $0.lowercased() }) == ["websocket"] else {
      return "The server switches to another protocol than a WebSocket's."
    }
    guard Self.values(of: "connection", in: head.fields).contains(where: { $0.lowercased() == "upgrade" }) else {
      return "The server's answer does not say that the connection is upgraded."
    }
    guard Self.values(of: "sec-websocket-accept", in: head.fields) == [Self.accept(key)] else {
      return "The server's answer does not prove that it has read the key."
    }
    guard Self.values(of: "sec-websocket-extensions", in: head.fields).isEmpty else {
      return "The server uses an extension that nobody offered."
    }
    let chosen = Self.values(of: "sec-websocket-protocol", in: head.fields)
    guard chosen.count <= 1, chosen.allSatisfy(protocols.contains) else {
      return "The server chose a sub-protocol that nobody offered."
    }
    return nil
  }

  /// The value that proves that a server has read the key: the SHA-1 of key and identifier, in Base64.
  static func accept(_ key: String) -> String {
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Data(MessageDigest.sha1.hash(text.utf8) ?? []).base64EncodedString()
  }

  /// The elements of a list in all fields of this name, without white space around them and without empty ones.
  private static func values(of name: String, in fields: [HeaderField]) -> [String] {
    fields.filter { $0.isNamed(name) }.flatMap { $0.value.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}

/// `ws` and `wss`, which are `http` and `https` until the protocol is switched (RFC 6455 section 3).
package enum WebSocketURL {
  /// The request over HTTP that opens the WebSocket; nil where the URL is none of a WebSocket.
  package static func overHTTP(_ request: URLRequest) -> URLRequest? {
    guard let url = request.url, let renamed = renamed(url, ["ws": "http", "wss": "https"]) else { return nil }
    var request = request
    request.url = renamed
    request.httpMethod = "GET"
    return request
  }

  /// The URL as a WebSocket's.
  package static func shown(_ url: URL) -> URL {
    renamed(url, ["http": "ws", "https": "wss"]) ?? url
  }

  /// The request with a WebSocket's URL.
  package static func shown(_ request: URLRequest) -> URLRequest {
    var request = request
    request.url = request.url.map { shown($0) }
    return request
  }

  private static func renamed(_ url: URL, _ schemes: [String: String]) -> URL? {
    guard let scheme = url.scheme, let other = schemes[scheme.lowercased()] else { return nil }
    return URL(string: other + url.absoluteString.dropFirst(scheme.count))
  }
}
