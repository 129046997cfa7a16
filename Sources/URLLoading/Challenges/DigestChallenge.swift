// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// A Digest challenge that can be answered (RFC 7616). Pure.
///
/// Of the qualities of protection `auth` is spoken, and none at all as in RFC 2069; a challenge that wants `auth-int`
/// alone is passed over, as is one with an unknown algorithm (section 3.3).
struct DigestChallenge: Equatable, Sendable {
  let realm: String
  let nonce: String
  let opaque: String?
  let hash: MessageDigest
  /// The algorithm as the server wrote it; nil where it wrote none.
  let algorithm: String?
  /// Whether the algorithm is one of the `-sess` kind.
  let isSession: Bool
  let usesQuality: Bool
  /// The credential was right, but the nonce is too old.
  let isStale: Bool
  let hashesUser: Bool
  /// Whether the challenge is for the whole origin, having no `domain` of its own.
  let coversOrigin: Bool

  init?(_ challenge: HTTPChallenge) {
    guard challenge.scheme == "digest", let realm = challenge.exact("realm"), let nonce = challenge.exact("nonce"),
      challenge.parameters["opaque"] == nil || challenge.exact("opaque") != nil,
      let (hash, isSession) = Self.algorithm(challenge["algorithm"] ?? "MD5")
    else { return nil }
    let qualities = challenge["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    usesQuality = qualities?.contains("auth") == true
    guard usesQuality || (qualities == nil && !isSession) else { return nil }
    (self.realm, self.nonce, self.hash, self.isSession) = (realm, nonce, hash, isSession)
    opaque = challenge.exact("opaque")
    algorithm = challenge["algorithm"]
    isStale = challenge["stale"]?.lowercased() == "true"
    hashesUser = challenge["userhash"]?.lowercased() == "true"
    coversOrigin = challenge.parameters["domain"] == nil
  }

  private static func algorithm(_ name: String) -> (MessageDigest, isSession: Bool)? {
    switch name.lowercased() {
    case "md5": (.md5, false)
    case "md5-sess": (.md5, true)
    case "sha-256": (.sha256, false)
    case "sha-256-sess": (.sha256, true)
    case "sha-512-256": (.sha512Cut256, false)
    case "sha-512-256-sess": (.sha512Cut256, true)
    default: nil
    }
  }

  /// What a request is, as far as its answer tells.
  struct Request: Equatable {
    var method: String
    /// Path and query as they are sent.
    var target: String
    /// How often the nonce was used, this request included.
    var count: UInt32
    /// A random text of the client's, the same for all requests with one nonce: so both readings of the `-sess` kinds,
    /// the key of the first request and a key for each, come to the same (section 3.4.2).
    var clientNonce: String
  }

  /// The value of the Authorization field; nil where a hash function is missing.
  func authorization(user: String, password: String, _ request: Request) -> String? {
    guard let secret = secret(user, password, request.clientNonce),
      let message = hex(request.method, request.target), let shownUser = shown(user)
    else { return nil }
    let count = String(request.count, radix: 16)
    let paddedCount = String(repeating: "0", count: max(0, 8 - count.count)) + count
    let response =
      usesQuality
      ? hex(secret, nonce, paddedCount, request.clientNonce, "auth", message) : hex(secret, nonce, message)
    guard let response else { return nil }
    var fields = [
      shownUser, "realm=\(quoted(realm))", "nonce=\(quoted(nonce))", "uri=\(quoted(request.target))",
      "response=\"\(response)\"",
    ]
    if let algorithm { fields.append("algorithm=\(algorithm)") }
    if usesQuality { fields += ["qop=auth", "nc=\(paddedCount)", "cnonce=\(quoted(request.clientNonce))"] }
    if let opaque { fields.append("opaque=\(quoted(opaque))") }
    if hashesUser { fields.append("userhash=true") }
    return "Digest " + fields.joined(separator: ", ")
  }

  /// Section 3.4.2.
  private func secret(_ user: String, _ password: String, _ clientNonce: String) -> String? {
    guard let plain = hex(user, realm, password) else { return nil }
    return isSession ? hex(plain, nonce, clientNonce) : plain
  }

  /// Section 3.4.4; a name outside ASCII in the form of RFC 8187.
  private func shown(_ user: String) -> String? {
    if hashesUser { return hex(user, realm).map { "username=\"\($0)\"" } }
    if user.utf8.allSatisfy({ $0 < 128 }) { return "username=\(quoted(user))" }
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return user.addingPercentEncoding(withAllowedCharacters: plain).map { "username*=UTF-8''\($0)" }
  }

  private func hex(_ parts: String...) -> String? { hash.hex(parts.joined(separator: ":").utf8) }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
  }
}
