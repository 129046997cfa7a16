// SPDX-License-Identifier: Apache-2.0
import COpenSSL
public import LessonServer
import Locking
import Transport

/// How a server or a proxy asks for NTLM.
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

/// The server's part of NTLM: a user logs in on a connection, and all that follows on it is this user's.
public final class NTLMGuard: Sendable {
  /// True if the libraries answer: without libcurl's part of it they ask the client, and go on to the next offer.
  public static var isAnswered: Bool { CurlFacts.carriesOutNTLM }

  /// The outcome of a client's answer.
  private enum Verdict {
    /// The user, with a domain before it if one was named, is logged in on the connection.
    case user(String)
    /// The login continues: the value of the field that asks.
    case more(String)
    /// Nobody is logged in: the challenges to name.
    case refused([String])
  }

  private enum State {
    /// The challenge was given.
    case asked
    case user(String)
  }

  private let settings: NTLMSettings
  private let states = Locked<[Int: State]>([:])
  private static let nonce: [UInt8] = [1, 35, 69, 103, 137, 171, 205, 239]

  /// Guards what these settings tell.
  public init(_ settings: NTLMSettings) {
    self.settings = settings
  }

  /// The script for a request: `ok` and the user's name and domain, a challenge, or a refusal.
  func script(_ request: Request) -> Script {
    switch verdict(after: request.head["Authorization"], on: request.connection) {
    case .user(let name): .response(.text("ok \(name)"))
    case .more(let challenge): .response(.unauthorized(challenge))
    case .refused(let challenges):
      .response(
        Response(
          401, fields: challenges.map { HeaderField("WWW-Authenticate", $0) },
          body: .bytes(Array("who is there?\n".utf8))))
    }
  }

  /// The challenges that a request on this connection leads to, with this value of its Authorization field, or of
  /// Proxy-Authorization at a proxy; none where a user is logged in. Any thread.
  public func challenges(after answer: String?, on connection: Int) -> [String] {
    switch verdict(after: answer, on: connection) {
    case .user: []
    case .more(let challenge): [challenge]
    case .refused(let challenges): challenges
    }
  }

  private func verdict(after answer: String?, on connection: Int) -> Verdict {
    let state = states.withLock { $0[connection] }
    if answer == nil, case .user(let name)? = state { return .user(name) }
    guard let answer, answer.hasPrefix("NTLM "), let message = NTLMMessage(Self.decoded(answer.dropFirst(5))) else {
      return refusal(on: connection)
    }
    switch message {
    case .negotiate:
      states.withLock { $0[connection] = .asked }
      return .more("NTLM " + Self.encoded(NTLMMessage.challenge(Self.nonce, domain: settings.domain)))
    case .authenticate(let answer):
      guard case .asked? = state, let password = settings.users[answer.user],
        answer.knows(password, challenge: Self.nonce)
      else { return refusal(on: connection) }
      let name = answer.domain.isEmpty ? answer.user : "\(answer.domain)\\\(answer.user)"
      states.withLock { $0[connection] = .user(name) }
      return .user(name)
    }
  }

  private func refusal(on connection: Int) -> Verdict {
    states.withLock { $0[connection] = nil }
    return .refused(settings.before + ["NTLM"] + settings.behind)
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
