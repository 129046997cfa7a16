// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import TestSupport
import Testing

@testable import SessionAPI

/// Logins that bind the connection to a proxy: NTLM, which is carried out, and Negotiate, which is not.
@Suite struct ProxyLoginTests {
  private typealias Reply = ProxyUser.Answer

  private static func door(before: [String] = [], users: [String: String] = ["lesson": "secret"]) -> LoopbackProxy {
    var settings = NTLMSettings()
    (settings.before, settings.users) = (before, users)
    let door = NTLMGuard(settings)
    return LoopbackProxy(logsIn: { door.challenges(after: $0, on: $1) })
  }

  private static func login(
    _ password: String = "secret", user: String = "lesson", _ persistence: URLCredential.Persistence = .forSession
  ) -> Reply {
    (.useCredential, URLCredential(user: user, password: password, persistence: persistence))
  }

  /// Of each connection on which the proxy was asked for a login: the lengths of the messages, 0 for none.
  private func logins(_ proxy: LoopbackProxy) -> [Int: [Int]] {
    proxy.asked.reduce(into: [:]) { logins, asked in
      logins[asked.connection, default: []].append(asked.fields["proxy-authorization"]?.utf8.count ?? 0)
    }.filter { $0.value.contains { $0 > 0 } }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: [false, true])
  func `the right answer to a proxy's NTLM logs in the connections of this user (AU-24)`(isSecure: Bool) async throws {
    let way = try ProxyWay(secure: isSecure, Self.door()) { _ in Self.login() }
    for _ in 1...2 { #expect(try await way.load().value == Data("ok".utf8)) }
    let challenge = try #require(way.user.challenges.withLock { $0.first })
    #expect(way.user.challenges.withLock { $0.count } == 1, "the second load was not asked")
    let space = challenge.protectionSpace
    #expect(space.isProxy() && space.authenticationMethod == NSURLAuthenticationMethodNTLM && space.realm == nil)
    #expect(space.host == "127.0.0.1" && space.port == way.proxy.port)
    #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 407 && challenge.previousFailureCount == 0)
    // Both messages went over one connection, and what followed on it needed none. A tunnel is made once more, after the
    // delegate was asked about the certificate that it led to.
    let logins = logins(way.proxy)
    #expect(logins.count == (isSecure ? 2 : 1))
    for messages in logins.values {
      #expect(messages.count == (isSecure ? 2 : 3) && messages.prefix(2).allSatisfy { $0 > 0 })
      #expect(messages.dropFirst(2).allSatisfy { $0 == 0 })
    }
    #expect(way.proxy.asked.first?.connection != logins.keys.max(), "a connection of the user's own")
    for request in way.server.log.snapshot().requests {
      #expect(request["Proxy-Authorization"] == nil && request["Authorization"] == nil)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: [false, true])
  func `no other user's request, and none without a user, goes out on that connection (AU-25)`(
    isSecure: Bool
  ) async throws {
    let users = ["anna": "one", "bert": "two"]
    let count = Locked(0)
    let way = try ProxyWay(secure: isSecure, Self.door(users: users)) { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? Self.login("one", user: "anna", .none) : Self.login("two", user: "bert", .none)
    }
    var known: Set<Int> = []
    for number in 1...2 {
      #expect(try await way.load().value == Data("ok".utf8))
      #expect(way.user.challenges.withLock { $0.count } == number, "each load was asked")
      let new = Set(logins(way.proxy).keys).subtracting(known)
      #expect(!new.isEmpty)
      // No request of the second load came over a connection of the first one's.
      for connection in known {
        #expect(logins(way.proxy)[connection]?.count == 2)
      }
      known.formUnion(new)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: [false, true])
  func `a wrong answer is counted, and a credential for Negotiate leads to NTLM (AU-26)`(isSecure: Bool) async throws {
    let way = try ProxyWay(secure: isSecure, Self.door(before: ["Negotiate"])) { challenge in
      Self.login(challenge.previousFailureCount == 2 ? "secret" : "wrong \(challenge.previousFailureCount)")
    }
    #expect(try await way.load().value == Data("ok".utf8))
    let challenges = way.user.challenges.withLock { $0 }
    #expect(challenges.map { $0.protectionSpace.authenticationMethod.suffix(4) } == ["iate", "NTLM", "NTLM", "NTLM"])
    #expect(challenges.map(\.previousFailureCount) == [0, 0, 1, 2])
    #expect(challenges.allSatisfy { $0.protectionSpace.isProxy() })
  }

  @Test(arguments: [false, true])
  func `without an answer a 407 is the response over http, and the end over https (AU-26)`(isSecure: Bool) async throws
  {
    for disposition in [
      URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace, .useCredential,
      .cancelAuthenticationChallenge,
    ] {
      let way = try ProxyWay(secure: isSecure, Self.door(before: ["Negotiate"])) { _ in (disposition, nil) }
      let outcome = try await way.load()
      if disposition == .cancelAuthenticationChallenge {
        #expect(outcome.error?.code == .cancelled)
      } else if isSecure {
        #expect(outcome.error?.code == .userAuthenticationRequired)
      } else {
        #expect(outcome.status == 407 && outcome.value == Data("who?".utf8))
      }
      #expect(logins(way.proxy).isEmpty && way.server.log.snapshot().requests.isEmpty)
    }
  }

  @Test(arguments: [false, true], ["AAAA", "TlRMTVNTUAACAAAA", "!"])
  func `a proxy that never finishes the login has the last word (AU-26)`(isSecure: Bool, word: String) async throws {
    let proxy = LoopbackProxy(logsIn: { answer, _ in [answer == nil ? "NTLM" : "NTLM \(word)"] })
    let way = try ProxyWay(secure: isSecure, proxy) { _ in Self.login() }
    let outcome = try await way.load()
    if isSecure {
      #expect(outcome.error?.code == .userAuthenticationRequired)
    } else {
      #expect(outcome.status == 407 && outcome.value == Data("who?".utf8))
    }
    #expect(way.user.challenges.withLock { $0.count } == 1 && way.server.log.snapshot().requests.isEmpty)
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: [false, true])
  func `a body is sent whole once the connection is logged in (AU-24)`(isSecure: Bool) async throws {
    let way = try ProxyWay(secure: isSecure, Self.door()) { _ in Self.login() }
    var request = URLRequest(url: try #require(URL(string: way.server.url("/upload"))))
    request.httpMethod = "POST"
    let (sent, body) = (request, Data(SeededBody(seed: 4).bytes(0..<200_000)))
    for _ in 1...2 {
      let outcome: Outcome<Data> = await way.session.outcome {
        way.session.uploadTask(with: sent, from: body, completionHandler: $0)
      }
      #expect(outcome.status == 200)
    }
    let sum = SeededBody.checksum(seed: 4, size: 200_000)
    let log = way.server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.map(\.bodyChecksum) == [sum, sum])
  }

  @Test(.enabled(if: NTLMGuard.isAnswered)) func `a server behind the tunnel may want a login of its own (AU-24)`()
    async throws
  {
    var settings = NTLMSettings()
    settings.users = ["anna": "one"]
    let way = try ProxyWay(secure: true, Self.door(), routes: [.ntlm("/ntlm", settings)]) { challenge in
      challenge.protectionSpace.isProxy() ? Self.login() : Self.login("one", user: "anna")
    }
    for _ in 1...2 { #expect(try await way.load("/ntlm").value == Data("ok anna".utf8)) }
    #expect(way.user.challenges.withLock { $0.map { $0.protectionSpace.isProxy() } } == [true, false])
    for request in way.server.log.snapshot().requests { #expect(request["Proxy-Authorization"] == nil) }
  }

  /// Answers at both levels, and notes which one was asked.
  private final class Levels: NSObject, URLSessionTaskDelegate {
    let asked = EventLog<String>()

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      asked.append("session " + challenge.protectionSpace.authenticationMethod)
      let (disposition, credential) = ProxyLoginTests.login()
      completionHandler(disposition, credential)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      asked.append("task " + challenge.protectionSpace.authenticationMethod)
      completionHandler(.performDefaultHandling, nil)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered))
  func `a proxy's NTLM and Negotiate are asked about at the session's level first (AU-23)`() async throws {
    let server = LessonServer()
    try server.start()
    let proxy = Self.door(before: ["Negotiate"])
    defer {
      proxy.stop()
      server.stop()
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": proxy.port]
    let levels = Levels()
    let session = URLSession(configuration: configuration, delegate: levels, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, _) = try await session.data(from: try #require(URL(string: server.url("/ok"))))
    #expect(data == Data("ok".utf8))
    let methods = [NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM]
    #expect(try await levels.asked.wait { $0.count == 2 } == methods.map { "session " + $0 })
  }
}
