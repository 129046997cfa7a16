// SPDX-License-Identifier: Apache-2.0

/// One challenge of a WWW-Authenticate or Proxy-Authenticate field, as it stands there (RFC 9110 section 11.3).
package struct HTTPChallenge: Equatable, Sendable {
  /// How a client proves who its user is (RFC 9110 section 11.1).
  package enum Scheme: Hashable, Sendable {
    case basic, digest, ntlm, negotiate
    /// Another one, by its name in lower case.
    case other(String)

    /// The scheme of this name, in any case.
    package init(name: String) {
      switch name.lowercased() {
      case "basic": self = .basic
      case "digest": self = .digest
      case "ntlm": self = .ntlm
      case "negotiate": self = .negotiate
      case let name: self = .other(name)
      }
    }
  }

  package var scheme: Scheme
  /// The token in place of parameters, as Negotiate has it.
  package var token68: String?
  /// The parameters' bytes without quotes, by their names in lower case.
  package var parameters: [String: [UInt8]] = [:]

  /// A parameter as text for a person: UTF-8, or ISO 8859-1 where it is not.
  package subscript(name: String) -> String? {
    guard let bytes = parameters[name] else { return nil }
    return exact(name) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// A parameter that can be sent back as the very bytes received; nil where it is missing or not UTF-8.
  package func exact(_ name: String) -> String? {
    parameters[name].flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The challenges of all fields of that name, in order.
  package static func all(in fields: [String]) -> [HTTPChallenge] {
    var found: [HTTPChallenge] = []
    for field in fields where found.count < ChallengeParser.challengeLimit {
      var parser = ChallengeParser(field)
      found += parser.parse()
    }
    return Array(found.prefix(ChallengeParser.challengeLimit))
  }
}
