// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A Digest challenge that can be answered (RFC 7616). Pure.
///
/// Of the qualities of protection `auth` is preferred to `auth-int`, which wants to know the whole body, and both to none at
/// all as in RFC 2069. A challenge with an unknown algorithm is passed over (section 3.3).
package struct DigestChallenge: Equatable, Sendable {
  /// The extent of an answer's protection.
  package enum Quality: String, Sendable {
    case auth
    /// The body as well.
    case authInt = "auth-int"
  }

  package let realm: String
  package private(set) var nonce: String
  package let opaque: String?
  package let hash: MessageDigest
  /// The algorithm as the server wrote it; nil where it wrote none.
  package let algorithm: String?
  /// True if the algorithm is one of the `-sess` kind.
  package let isSession: Bool
  /// nil as in RFC 2069.
  package let quality: Quality?
  /// The credential was right, but the nonce is too old.
  package let isStale: Bool
  package let hashesUser: Bool
  /// True if the server takes name and password in the Normalization Form C, in UTF-8 (section 4).
  package let isUnicode: Bool
  /// The nonce of the challenge itself, from which the key of a `-sess` algorithm is made, where `nonce` is a later one.
  private var sessionNonce: String?
  /// True if the challenge is for the whole origin, having no `domain` of its own.
  package let coversOrigin: Bool

  package init?(_ challenge: HTTPChallenge) {
    guard challenge.scheme == .digest, let realm = challenge.exact("realm"), let nonce = challenge.exact("nonce"),
      challenge.parameters["opaque"] == nil || challenge.exact("opaque") != nil,
      let (hash, isSession) = Self.algorithm(challenge["algorithm"] ?? "MD5")
    else { return nil }
    let qualities = challenge["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    quality = [Quality.auth, .authInt].first { qualities?.contains($0.rawValue[...]) == true }
    guard quality != nil || (qualities == nil && !isSession) else { return nil }
    (self.realm, self.nonce, self.hash, self.isSession) = (realm, nonce, hash, isSession)
    opaque = challenge.exact("opaque")
    algorithm = challenge["algorithm"]
    isStale = challenge["stale"]?.lowercased() == "true"
    hashesUser = challenge["userhash"]?.lowercased() == "true"
    isUnicode = challenge["charset"]?.lowercased() == "utf-8"
    coversOrigin = challenge.parameters["domain"] == nil
  }

  /// The nonce for the next request in these values of Authentication-Info (section 3.5); nil where they name none.
  package static func nextNonce(in fields: [String]) -> String? {
    let parameters = HTTPChallenge.all(in: fields.map { "Digest " + $0 }).lazy.compactMap { $0.exact("nextnonce") }
    return parameters.first { !$0.isEmpty }
  }

  /// The challenge as it is answered once the server has named the next nonce. The session is still that of the challenge
  /// (section 3.4.2).
  package func renewed(_ nonce: String) -> DigestChallenge {
    var next = self
    next.sessionNonce = sessionNonce ?? self.nonce
    next.nonce = nonce
    return next
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

  /// The parts of a request that its answer covers.
  package struct Request: Equatable {
    package var method: String
    /// Path and query as they are sent.
    package var target: String
    /// How often the nonce was used, this request included.
    package var count: UInt32
    /// A random text of the client's, the same for all requests with one nonce: so both readings of the `-sess` kinds,
    /// the key of the first request and a key for each, come to the same (section 3.4.2).
    package var clientNonce: String
    /// Empty for none; nil where its bytes are not at hand.
    package var body: Data? = Data()
    /// For such a body: its hash by the function of the challenge, in hexadecimal digits; nil where it is made as it is sent.
    package var bodyHash: String?

    /// A request as given.
    package init(
      method: String, target: String, count: UInt32, clientNonce: String, body: Data? = Data(), bodyHash: String? = nil
    ) {
      self.method = method
      self.target = target
      self.count = count
      self.clientNonce = clientNonce
      self.body = body
      self.bodyHash = bodyHash
    }
  }

  /// The value of the Authorization field; nil where a hash function is missing, or the body where that is protected.
  package func authorization(user: String, password: String, _ request: Request) -> String? {
    let (user, password) = isUnicode ? (user.precomposed, password.precomposed) : (user, password)
    guard let secret = secret(user, password, request.clientNonce),
      let message = message(request), let shownUser = shown(user)
    else { return nil }
    let count = String(request.count, radix: 16)
    let paddedCount = String(repeating: "0", count: max(0, 8 - count.count)) + count
    let response =
      quality.map { hex(secret, nonce, paddedCount, request.clientNonce, $0.rawValue, message) }
      ?? hex(secret, nonce, message)
    guard let response else { return nil }
    var fields = [
      shownUser, "realm=\(quoted(realm))", "nonce=\(quoted(nonce))", "uri=\(quoted(request.target))",
      "response=\"\(response)\"",
    ]
    if let algorithm { fields.append("algorithm=\(algorithm)") }
    if let quality {
      fields += ["qop=\(quality.rawValue)", "nc=\(paddedCount)", "cnonce=\(quoted(request.clientNonce))"]
    }
    if let opaque { fields.append("opaque=\(quoted(opaque))") }
    if hashesUser { fields.append("userhash=true") }
    return "Digest " + fields.joined(separator: ", ")
  }

  /// Section 3.4.3.
  private func message(_ request: Request) -> String? {
    guard quality == .authInt else { return hex(request.method, request.target) }
    let body = request.body.map { hash.hex($0) } ?? request.bodyHash
    return body.flatMap { hex(request.method, request.target, $0) }
  }

  /// Section 3.4.2.
  private func secret(_ user: String, _ password: String, _ clientNonce: String) -> String? {
    guard let plain = hex(user, realm, password) else { return nil }
    return isSession ? hex(plain, sessionNonce ?? nonce, clientNonce) : plain
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

extension String {
  /// In the Normalization Form C (RFC 5198 section 3), as servers have names and passwords; `==` sees no difference.
  package var precomposed: String { utf8.allSatisfy { $0 < 128 } ? self : precomposedStringWithCanonicalMapping }
}
