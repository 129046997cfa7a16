// SPDX-License-Identifier: Apache-2.0

/// Takes the value of one WWW-Authenticate or Proxy-Authenticate field apart (RFC 9110 sections 5.6 and 11). Pure.
///
/// Commas separate challenges and parameters alike, so what follows one is a parameter only if a `=` comes after its
/// name. Each byte is looked at a constant number of times. What is malformed ends the field: the challenges before it
/// stand, the rest is dropped.
package struct ChallengeParser {
  /// Challenges that are looked at; a server that offers more has no use for it.
  package static let challengeLimit = 64
  /// Parameters of one challenge.
  package static let parameterLimit = 32

  private let bytes: [UInt8]
  private var position = 0
  private var isMalformed = false

  /// `field` holds one scalar for each byte, as the transport delivers values (ISO 8859-1).
  package init(_ field: String) {
    bytes = field.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// The challenges that stand in the field.
  package mutating func parse() -> [HTTPChallenge] {
    var found: [HTTPChallenge] = []
    while !isMalformed, found.count < Self.challengeLimit {
      skip { $0 == UInt8(ascii: ",") || FieldSyntax.isSpace($0) }
      guard let scheme = token() else { break }
      if let challenge = challenge(of: HTTPChallenge.Scheme(name: scheme)), !isMalformed { found.append(challenge) }
    }
    return found
  }

  // MARK: - Grammar

  /// Parses the rest of a challenge behind its scheme; nil when it cannot be used.
  private mutating func challenge(of scheme: HTTPChallenge.Scheme) -> HTTPChallenge? {
    let start = position
    skip(FieldSyntax.isSpace)
    if isAtEndOfElement { return HTTPChallenge(scheme: scheme) }
    guard position > start else { return malformed() }
    if let token68 = token68() { return HTTPChallenge(scheme: scheme, token68: token68) }
    return parameters().map { HTTPChallenge(scheme: scheme, parameters: $0) }
  }

  /// A name may come once only (RFC 9110 section 11.2): a challenge with a name twice is passed over.
  private mutating func parameters() -> [String: [UInt8]]? {
    var parameters: [String: [UInt8]] = [:]
    var isUsable = true
    while true {
      guard let name = parameterName(), let value = value() else { return malformed() }
      if parameters[name] != nil || parameters.count == Self.parameterLimit { isUsable = false }
      if isUsable { parameters[name] = value }
      skip(FieldSyntax.isSpace)
      guard isAtEndOfElement else { return malformed() }
      let end = position
      skip { $0 == UInt8(ascii: ",") || FieldSyntax.isSpace($0) }
      let next = position
      let isParameter = parameterName() != nil
      position = isParameter ? next : end
      if !isParameter { return isUsable ? parameters : nil }
    }
  }

  /// A token and the `=` after it.
  private mutating func parameterName() -> String? {
    guard let name = token() else { return nil }
    skip(FieldSyntax.isSpace)
    guard take(UInt8(ascii: "=")) else { return nil }
    skip(FieldSyntax.isSpace)
    return name.lowercased()
  }

  private mutating func value() -> [UInt8]? {
    guard take(UInt8(ascii: "\"")) else { return token().map { Array($0.utf8) } }
    var rest = bytes[position...]
    let (content, isClosed) = FieldSyntax.takeQuoted(&rest)
    position = rest.startIndex
    return isClosed ? content : nil
  }

  /// RFC 9110 section 11.2; nil, and nothing taken, where it is not alone in its place.
  private mutating func token68() -> String? {
    let start = position
    skip { HeaderField.isTokenByte($0) && $0 != UInt8(ascii: "=") || $0 == UInt8(ascii: "/") }
    skip { $0 == UInt8(ascii: "=") }
    let end = position
    skip(FieldSyntax.isSpace)
    if isAtEndOfElement, end > start { return String(decoding: bytes[start..<end], as: UTF8.self) }
    position = start
    return nil
  }

  private mutating func token() -> String? {
    let start = position
    skip(HeaderField.isTokenByte)
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  // MARK: - Bytes

  private var isAtEndOfElement: Bool { position == bytes.count || bytes[position] == UInt8(ascii: ",") }

  private mutating func malformed<Nothing>() -> Nothing? {
    isMalformed = true
    return nil
  }

  private mutating func skip(_ isWanted: (UInt8) -> Bool) {
    while position < bytes.count, isWanted(bytes[position]) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}
