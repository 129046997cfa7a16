// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One request of a browser: what a page of ours can send, and nothing else.
///
/// FlyingFox reads a head without any bound, so its sockets carry the bytes and the head is read here: at most 16 KiB of
/// head and 4 KiB of form, one request a connection.
struct WebRequest: Sendable, Hashable {
  /// The most bytes of a head, its last empty line included.
  static let mostHead = 16 << 10
  /// The most bytes of a form.
  static let mostBody = 4 << 10

  /// The method of a request.
  enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// The method.
  var method: Method
  /// The address as it was sent, from `/` on: the path, and the parameters behind it.
  var address: String
  /// The parameters of the address, decoded; of two with one name the first.
  var query: [String: String] = [:]
  /// The fields by their name in lower case.
  var fields: [String: String] = [:]
  /// The parameters of the form, decoded.
  var form: [String: String] = [:]

  /// The path as it was sent; never joined to a folder.
  var path: String { String(address.prefix { $0 != "?" }) }

  /// The cookies by their names.
  var cookies: [String: String] {
    var cookies: [String: String] = [:]
    for pair in (fields["cookie"] ?? "").split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2, cookies[parts[0]] == nil { cookies[parts[0]] = parts[1] }
    }
    return cookies
  }

  /// True if a page of another site began it (the Fetch Metadata standard), a file of this machine included.
  var isForeign: Bool { ["cross-site", "same-site"].contains(fields["sec-fetch-site"]) }

  /// The length of the form that follows the head.
  ///
  /// - Throws: `WebRefusal` for one that is too long or not said.
  func bodyLength() throws(WebRefusal) -> Int {
    guard fields["transfer-encoding"] == nil else { throw WebRefusal(.lengthRequired) }
    guard let text = fields["content-length"] else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { throw WebRefusal(.badRequest) }
    guard let length = Int(text), length <= Self.mostBody else { throw WebRefusal(.tooLarge) }
    return length
  }
}

extension WebRequest {
  /// The names that must not stand twice: two readers of the head could believe different ones.
  private static let single: Set<String> = ["host", "content-length", "origin", "cookie", "transfer-encoding"]

  /// Reads a head, without the empty line at its end.
  ///
  /// - Throws: `WebRefusal` for what is no request of HTTP/1.
  init(head: some Collection<UInt8>) throws(WebRefusal) {
    guard let text = String(bytes: head, encoding: .utf8) else { throw WebRefusal(.badRequest) }
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(words[2]), Self.isTarget(words[1]) else {
      throw WebRefusal(.badRequest)
    }
    guard let method = Method(rawValue: words[0]) else { throw WebRefusal(.methodNotAllowed) }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    self.init(method: method, address: words[1])
    if target.count == 2 { query = Self.parameters(target[1]) }
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, Self.isName(parts[0]) else { throw WebRefusal(.badRequest) }
      let name = parts[0].lowercased()
      guard fields[name] == nil || !Self.single.contains(name) else { throw WebRefusal(.badRequest) }
      fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
    }
  }

  /// A path of this server, in what an address may be written with. One that begins with two slashes is a host's name to
  /// a browser that is sent there, and browsers take a backslash for a slash (WHATWG URL, "relative slash state").
  static func isTarget(_ text: String) -> Bool {
    text.hasPrefix("/") && !text.hasPrefix("//")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
  }

  /// A field's name is letters, digits and hyphens here; no field that matters has another.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }

  /// Reads the parameters of a text in `application/x-www-form-urlencoded`.
  static func parameters(_ text: String) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
      if let name = decoded.first, parameters[name] == nil { parameters[name] = decoded.count == 2 ? decoded[1] : "" }
    }
    return parameters
  }
}
