// SPDX-License-Identifier: Apache-2.0
import HTTPRules

/// The use that a transfer makes of its connection.
public enum ConnectionUse: Sendable, Hashable {
  /// One request, one response.
  case exchange
  /// A request to speak another protocol from then on (RFC 9110 section 7.8), with this name in `Upgrade`. Where the
  /// server agrees (101), its head is followed by bytes of that protocol in place of a body, and `Transfer.send(_:)` sends;
  /// any other final head ends the transfer. The connection serves this transfer alone.
  case upgrade(to: String)
  /// No request: bytes from the beginning, in both directions.
  case bytes
}

/// The head of a request that asks for an upgrade, which goes out over a bare connection. Pure.
enum UpgradeRequest {
  /// Request line and fields with the empty line. The fields must be sendable.
  static func head(of request: TransferRequest, to name: String) -> [UInt8] {
    let (authority, target) = parts(of: request.url)
    var lines = ["\(request.method) \(target) HTTP/1.1", "Host: \(authority)"]
    lines += ["Upgrade: \(name)", "Connection: Upgrade"]
    lines += request.fields.map { "\($0.name): \($0.value)" }
    return Array(lines.joined(separator: "\r\n").utf8) + [13, 10, 13, 10]
  }

  /// Authority without the scheme's own port, and target of an absolute URL.
  static func parts(of url: String) -> (authority: String, target: String) {
    guard let colon = url.firstRange(of: "://") else { return ("", "/") }
    let rest = url[colon.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    var authority = String(rest[..<end])
    let ownPort = url.hasPrefix("https:") ? ":443" : ":80"
    if authority.hasSuffix(ownPort) { authority.removeLast(ownPort.count) }
    return (authority, rest[end...].first == "/" ? String(rest[end...]) : "/" + rest[end...])
  }
}
