// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Locking

/// How a route of the lesson server asks for Digest (RFC 7616).
public struct DigestSettings: Sendable {
  /// The protection space.
  public var realm = "lesson"
  /// The user name that is accepted.
  public var user = "lesson"
  /// The password that is accepted.
  public var password = "secret"
  /// `MD5`, `SHA-256` or `SHA-512-256`, each also with `-sess`; nil leaves the parameter out.
  public var algorithm: String? = "SHA-256"
  /// The qualities offered, such as `auth,auth-int`; nil asks as in RFC 2069.
  public var quality: String? = "auth"
  /// How many requests a nonce is good for; then it is stale. 0 calls every nonce stale.
  public var uses = 1000
  /// For `auth-int`: the body that every request with a body must have, since the server keeps only a body's sum.
  public var body: [UInt8] = []
  /// Asks for the user's name as a hash.
  public var hashesUser = false
  /// The character set that the challenge names; nil for none. The user's name is compared byte for byte.
  public var charset: String?
  /// Names the next nonce with each answer, in Authentication-Info, and takes the last one no longer.
  public var changesNonce = false

  /// SHA-256 with `auth`.
  public init() {}
}

/// The server's part of Digest for one protection space: issues nonces, counts their uses, checks answers.
public final class DigestGuard: Sendable {
  private struct State {
    var nonce = 0
    /// The highest count seen with the nonce.
    var count: UInt32 = 0
    /// The two nonces of the first request after a challenge, for algorithms of the `-sess` kind.
    var session: (nonce: String, clientNonce: String)?
  }

  private let settings: DigestSettings
  private let state = Locked(State())

  /// Guards what these settings tell.
  public init(_ settings: DigestSettings) {
    self.settings = settings
  }

  /// The script for a request: `ok`, or a challenge.
  func script(_ request: Request) -> Script {
    let body = request.bodyBytes == 0 ? [] : settings.body
    let isRight = BodyChecksum(of: body).value == request.bodyChecksum
    let challenge = challenge(
      after: request.head["Authorization"], request.head.method, request.head.target, body: isRight ? body : nil)
    if let challenge { return .response(.unauthorized(challenge)) }
    var response = Response.text("ok")
    if let nonce = nextNonce() { response.fields.append(HeaderField("Authentication-Info", "nextnonce=\"\(nonce)\"")) }
    return .response(response)
  }

  /// The nonce that the next request has to have; nil where it is still the same.
  private func nextNonce() -> String? {
    guard settings.changesNonce else { return nil }
    return state.withLock { state in
      state.nonce += 1
      state.count = 0
      return "n\(state.nonce)"
    }
  }

  /// The challenge to a request with this method and target, and this value of its Authorization field, or of
  /// Proxy-Authorization at a proxy; nil where the guard admits the request. `body` has the bytes that the client sent, nil
  /// where the server has not kept them.
  /// Any thread.
  public func challenge(
    after answer: String?, _ method: String, _ target: String, body: [UInt8]? = []
  ) -> String? {
    guard let answer, answer.hasPrefix("Digest ") else { return challenge() }
    let fields = Self.fields(answer.dropFirst(7))
    guard fields["uri"] == target, fields["realm"] == settings.realm, fields["opaque"] == "o\\\"p",
      isRightUser(fields), let response = response(fields, method, body), fields["response"] == response
    else { return challenge() }
    return take(fields) ? nil : challenge(isStale: true)
  }

  /// True if nonce and count are fresh.
  private func take(_ fields: [String: String]) -> Bool {
    state.withLock { state in
      guard fields["nonce"] == "n\(state.nonce)" else { return false }
      let count = fields["nc"].flatMap { UInt32($0, radix: 16) } ?? state.count + 1
      guard count > state.count, count <= settings.uses else { return false }
      state.count = count
      if state.session == nil { state.session = (fields["nonce"] ?? "", fields["cnonce"] ?? "") }
      return true
    }
  }

  private func challenge(isStale: Bool = false) -> String {
    let nonce = state.withLock { state in
      state.nonce += 1
      state.count = 0
      state.session = nil
      return state.nonce
    }
    var value = "Digest realm=\(Self.quoted(settings.realm)), nonce=\"n\(nonce)\", opaque=\"o\\\\\\\"p\""
    if let quality = settings.quality { value += ", qop=\"\(quality)\"" }
    if let algorithm = settings.algorithm { value += ", algorithm=\(algorithm)" }
    if settings.hashesUser { value += ", userhash=true" }
    if let charset = settings.charset { value += ", charset=\(charset)" }
    if isStale { value += ", stale=true" }
    return value
  }

  // MARK: Checking

  private func isRightUser(_ fields: [String: String]) -> Bool {
    if settings.hashesUser { return fields["username"] == hex("\(settings.user):\(settings.realm)") }
    if let name = fields["username*"] { return name == "UTF-8''" + Self.percentEncoded(settings.user) }
    return fields["username"].map { Array($0.utf8) } == Array(settings.user.utf8)
  }

  /// Computes the response that the answer must state; nil for a quality that was not offered, and for a body that is
  /// not known where it counts.
  private func response(_ fields: [String: String], _ method: String, _ body: [UInt8]?) -> String? {
    let (nonce, clientNonce) = (fields["nonce"] ?? "", fields["cnonce"] ?? "")
    var secret = hex("\(settings.user):\(settings.realm):\(settings.password)")
    if settings.algorithm?.hasSuffix("-sess") == true {
      let session = state.withLock { $0.session } ?? (nonce: nonce, clientNonce: clientNonce)
      secret = hex("\(secret):\(session.nonce):\(session.clientNonce)")
    }
    var message = "\(method):\(fields["uri"] ?? "")"
    guard let quality = fields["qop"] else {
      return settings.quality == nil ? hex("\(secret):\(nonce):\(hex(message))") : nil
    }
    guard settings.quality?.split(separator: ",").contains(quality[...]) == true else { return nil }
    if quality == "auth-int" {
      guard let body else { return nil }
      message += ":" + hex(body)
    }
    return hex("\(secret):\(nonce):\(fields["nc"] ?? ""):\(clientNonce):\(quality):\(hex(message))")
  }

  private func hex(_ text: String) -> String { hex(Array(text.utf8)) }

  private func hex(_ input: [UInt8]) -> String {
    let name = settings.algorithm ?? "MD5"
    let function = name.hasPrefix("SHA-512") ? EVP_sha512_256() : name.hasPrefix("SHA") ? EVP_sha256() : EVP_md5()
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    EVP_Digest(input, input.count, &output, &count, function, nil)
    return output.prefix(Int(count)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
  }

  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 128 && (character.isLetter || character.isNumber)
        ? String(character)
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The parameters of an Authorization field; quotes are taken off, escapes undone.
  private static func fields(_ text: Substring) -> [String: String] {
    var (fields, name, value) = ([String: String](), "", "")
    var (isName, isQuoted, isEscaped) = (true, false, false)
    for character in text + "," {
      if isEscaped {
        (isEscaped, value) = (false, value + String(character))
        continue
      }
      switch character {
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case "=" where isName: isName = false
      case "," where !isQuoted:
        fields[name] = value
        (name, value, isName) = ("", "", true)
      case " " where !isQuoted: break
      default: if isName { name.append(character) } else { value.append(character) }
      }
    }
    return fields
  }
}
