// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// Turns a URLRequest into what goes onto the wire, or says why it cannot. Pure.
enum RequestRules {
  /// Fields that belong to the connection or its framing, and so to the loader; what a program sets for them is not
  /// sent (Apple, "Reserved HTTP headers"; CVE-2026-6276 for Host).
  private static let reserved: Set<String> = [
    "connection", "content-length", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Seconds that a URLRequest has when the program set none; the toolchain does not distinguish the two.
  private static let defaultTimeout: TimeInterval = 60

  /// The exchange for `request`, to which the session adds its `fields`.
  /// - Throws: −1000 for a method or field that would break the message, −1002 without a URL and for a scheme other than
  ///   http and https, −1103 for a GET with a body (iOS 13 and later). A body without bytes is none.
  static func transferRequest(
    for request: URLRequest, body: TransferBody?, adding fields: [String: String] = [:],
    configuration: LoadConfiguration
  ) throws(URLError) -> TransferRequest {
    let method = request.httpMethod ?? "GET"
    var result = TransferRequest(url: try address(of: request), method: method)
    result.fields = self.fields(of: request, adding: fields)
    let content = body.flatMap { $0.hasNoBytes ? nil : $0 }
    result.body = content ?? emptyBody(for: method)
    if method == "GET", content != nil {
      throw LoadError.error(
        .dataLengthExceedsMaximum, url: request.url,
        description: "resource exceeds maximum size", explanation: "A GET request cannot have a body; use POST.")
    } else if method == "POST", content != nil, !result.fields.contains(where: { $0.isNamed("content-type") }) {
      result.fields.append(HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded"))
    }
    if let bad = HeaderField.isToken(method) ? result.fields.first(where: { !$0.isSendable })?.name : method {
      throw LoadError.error(
        .badURL, url: request.url, description: "'\(bad)' has characters that would break the HTTP message.")
    }
    result.idleTimeout = idleTimeout(of: request, configuration).map { .seconds($0) }
    // RFC 9110 section 14.1: a range counts the bytes of what is sent, so nothing may be encoded in it.
    let isPart = result.fields.contains { $0.isNamed("range") }
    result.decodesContent = !isPart
    if isPart, !result.fields.contains(where: { $0.isNamed("accept-encoding") }) {
      result.fields.append(HeaderField(name: "Accept-Encoding", value: "identity"))
    }
    return result
  }

  /// The URL as it goes to the transport: absolute, without user, password and fragment. Every request passes here, so
  /// it looks at bytes, not at characters.
  static func address(of request: URLRequest) throws(URLError) -> String {
    guard var url = request.url else {
      throw LoadError.error(.unsupportedURL, url: nil, description: "unsupported URL: the request has none.")
    }
    if url.baseURL != nil { url = url.absoluteURL }
    let written = url.absoluteString
    if isAddress(written) { return written }
    guard let name = url.scheme, let scheme = HTTPScheme(name: name) else {
      throw LoadError.error(
        .unsupportedURL, url: url, description: "unsupported URL: '\(url.scheme ?? "")' is neither http nor https.")
    }
    var text = written
    if name != scheme.rawValue { text = scheme.rawValue + text.dropFirst(name.count) }
    if text.utf8.contains(UInt8(ascii: "@")) { text = LoadError.withoutUser(url).absoluteString }
    if let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) { text = String(text[..<fragment]) }
    guard let host = url.host, !host.isEmpty, text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
      throw LoadError.error(
        .badURL, url: url, description: "The URL '\(text.prefix(80))' has no host or is not encoded.")
    }
    return text
  }

  /// True if a URL is written as it goes to the transport, as most are.
  private static func isAddress(_ text: String) -> Bool {
    let prefix = text.hasPrefix("http://") ? 7 : text.hasPrefix("https://") ? 8 : 0
    let bytes = text.utf8.span
    guard prefix > 0, bytes.count > prefix else { return false }
    // A host that begins otherwise, in brackets, is judged below.
    guard isLetterOrDigit(bytes[prefix]) else { return false }
    for index in prefix..<bytes.count {
      let byte = bytes[index]
      if byte <= 32 || byte >= 127 || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#") { return false }
    }
    return true
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
  }

  private static func fields(of request: URLRequest, adding sessions: [String: String]) -> [HeaderField] {
    let own = request.allHTTPHeaderFields ?? [:]
    guard !own.isEmpty || !sessions.isEmpty else { return StandingFields.all }
    let names = Set(own.keys.map { $0.lowercased() })
    let more = sessions.filter { !names.contains($0.key.lowercased()) }
    let fields = (Array(own) + Array(more))
      .filter { !reserved.contains($0.key.lowercased()) }
      .sorted { $0.key < $1.key }
      .map { HeaderField(name: $0.key, value: $0.value) }
    return StandingFields.added(to: fields)
  }

  private static func emptyBody(for method: String) -> TransferBody {
    // RFC 9110 section 8.6: a request whose method anticipates content says so when it has none.
    return ["POST", "PUT", "PATCH"].contains(method) ? .bytes(Data()) : .none
  }

  /// Seconds in which something has to move; nil for no limit, which what is beyond 30 years stands for:
  /// `.greatestFiniteMagnitude` is no `Duration`.
  static func idleTimeout(of request: URLRequest, _ configuration: LoadConfiguration) -> Double? {
    let own = request.timeoutInterval
    let seconds = own != defaultTimeout && own > 0 ? own : configuration.wire.idleTimeout
    return seconds > 0 && seconds < 1e9 ? seconds : nil
  }
}

extension TransferBody {
  /// True if it is known to have none: such as `Data()` in place of nothing.
  fileprivate var hasNoBytes: Bool {
    if case .bytes(let data) = self { data.isEmpty } else { false }
  }
}
