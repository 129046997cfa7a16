// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Locking

/// How a route of the lesson server asks for NTLM.
public struct NTLMSettings: Sendable {
  /// The passwords of the users that are accepted, by name.
  public var users = ["lesson": "secret"]
  /// The domain that the server says it is in; users of any domain are accepted.
  public var domain = "LESSON"
  /// Challenges that a refusal names before `NTLM`, such as `Negotiate`.
  public var before: [String] = []
  /// Challenges that it names behind.
  public var behind: [String] = []

  /// One user.
  public init() {}
}

/// The server's part of NTLM for one route: a user logs in on a connection, and all that follows on it is this user's.
final class NTLMGuard: Sendable {
  private enum State {
    /// The challenge was given.
    case asked
    case user(String)
  }

  private let settings: NTLMSettings
  private let states = Locked<[Int: State]>([:])
  private static let nonce: [UInt8] = [1, 35, 69, 103, 137, 171, 205, 239]

  init(_ settings: NTLMSettings) {
    self.settings = settings
  }

  /// The script for a request: `ok` and the user's name and domain, a challenge, or a refusal.
  func script(_ request: Request) -> Script {
    let answer = request.head["Authorization"]
    let state = states.withLock { $0[request.connection] }
    if answer == nil, case .user(let name)? = state { return .response(.text("ok \(name)")) }
    guard let answer, answer.hasPrefix("NTLM "), let message = NTLMMessage(Self.decoded(answer.dropFirst(5))) else {
      return refusal(on: request.connection)
    }
    switch message {
    case .negotiate:
      states.withLock { $0[request.connection] = .asked }
      let challenge = NTLMMessage.challenge(Self.nonce, domain: settings.domain)
      return .response(.unauthorized("NTLM " + Self.encoded(challenge)))
    case .authenticate(let answer):
      guard case .asked? = state, let password = settings.users[answer.user],
        answer.knows(password, challenge: Self.nonce)
      else { return refusal(on: request.connection) }
      let name = answer.domain.isEmpty ? answer.user : "\(answer.domain)\\\(answer.user)"
      states.withLock { $0[request.connection] = .user(name) }
      return .response(.text("ok \(name)"))
    }
  }

  private func refusal(on connection: Int) -> Script {
    states.withLock { $0[connection] = nil }
    let challenges = settings.before + ["NTLM"] + settings.behind
    return .response(
      Response(
        401, fields: challenges.map { HeaderField("WWW-Authenticate", $0) }, body: .bytes(Array("who is there?\n".utf8))
      ))
  }

  private static func decoded(_ text: Substring) -> [UInt8] {
    let input = Array(text.utf8)
    var output = [UInt8](repeating: 0, count: input.count / 4 * 3 + 3)
    let count = EVP_DecodeBlock(&output, input, CInt(input.count))
    return Array(output.prefix(max(0, Int(count) - input.reversed().prefix { $0 == 61 }.count)))
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, CInt(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}

extension Route {
  /// A route that lets users in who log in by NTLM, and answers `ok` with the name of the connection's user. It belongs to
  /// one server: it remembers who logged in on which connection.
  public static func ntlm(
    _ path: String, summary: String = "asks for a login by NTLM", _ settings: NTLMSettings = NTLMSettings()
  ) -> Route {
    let guardian = NTLMGuard(settings)
    return Route(path, summary: summary) { guardian.script($0) }
  }
}
