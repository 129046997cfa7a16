// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import SessionAPI
import Testing

/// Which delegate method is asked about a login that binds a connection (B.11).
@Suite struct ConnectionLoginLevelTests {
  private typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  /// The methods asked, with what they were asked about.
  private final class Calls: Sendable {
    private let names = Locked<[String]>([])
    var all: [String] { names.withLock { $0 } }

    func answer(_ name: String, _ challenge: URLAuthenticationChallenge, _ handler: Handler) {
      let method = challenge.protectionSpace.authenticationMethod
      names.withLock { $0.append("\(name) \(method == NSURLAuthenticationMethodNTLM ? "NTLM" : "Negotiate")") }
      handler(.useCredential, URLCredential(user: "lesson", password: "secret", persistence: .none))
    }
  }

  private final class TaskLevel: NSObject, URLSessionTaskDelegate {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      calls.answer("task", challenge, completionHandler)
    }
  }

  private final class BothLevels: NSObject, URLSessionTaskDelegate {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      calls.answer("session", challenge, completionHandler)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      calls.answer("task", challenge, completionHandler)
    }
  }

  private func load(_ make: (Calls) -> any URLSessionDelegate) async throws -> (calls: [String], body: String) {
    var settings = NTLMSettings()
    settings.before = ["Negotiate"]
    let server = LessonServer(routes: [.ntlm("/ntlm", settings)])
    try server.start()
    defer { server.stop() }
    let calls = Calls()
    let session = URLSession(configuration: .ephemeral, delegate: make(calls), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, _) = try await session.data(from: try #require(URL(string: server.url("/ntlm"))))
    return (calls.all, String(decoding: data, as: UTF8.self))
  }

  @Test(.enabled(if: NTLMGuard.isAnswered))
  func `the session-level method is asked, without it the task-level one (AU-23)`() async throws {
    let both = try await load { BothLevels($0) }
    #expect(both.calls == ["session Negotiate", "session NTLM"] && both.body == "ok lesson")
    let task = try await load { TaskLevel($0) }
    #expect(task.calls == ["task Negotiate", "task NTLM"] && task.body == "ok lesson")
  }

  @Test(.enabled(if: NTLMGuard.isAnswered))
  func `a credential for one use leaves no connection behind that is logged in (AU-16)`() async throws {
    let server = LessonServer(routes: [.ntlm("/ntlm")])
    try server.start()
    defer { server.stop() }
    let calls = Calls()
    let session = URLSession(configuration: .ephemeral, delegate: BothLevels(calls), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: server.url("/ntlm")))
    for _ in 0..<2 { _ = try await session.data(from: url) }
    #expect(calls.all == ["session NTLM", "session NTLM"])
    #expect(Set(server.log.snapshot().requests.filter { $0["Authorization"] != nil }.map(\.socket)).count == 2)
  }
}
