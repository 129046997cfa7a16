// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import Testing

/// Which delegate method is asked about which challenge, and where it falls to the next (B.11).
@Suite struct ChallengeLevelTests {
  private typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  /// Names of the methods that were asked, in order.
  private final class Calls: Sendable {
    private let names = Locked<[String]>([])
    var all: [String] { names.withLock { $0 } }

    func answer(_ name: String, _ challenge: URLAuthenticationChallenge, _ handler: Handler) {
      names.withLock { $0.append(name) }
      if let trust = challenge.protectionSpace.serverTrust {
        handler(.useCredential, URLCredential(trust: trust))
      } else {
        handler(.useCredential, URLCredential(user: "lesson", password: "secret", persistence: .none))
      }
    }
  }

  private final class SessionLevel: NSObject, URLSessionDelegate {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      calls.answer("session", challenge, completionHandler)
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

  private final class Asynchronous: NSObject, URLSessionTaskDelegate {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      await Task.yield()
      return await withCheckedContinuation { continuation in
        calls.answer("session", challenge) { continuation.resume(returning: ($0, $1)) }
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      await withCheckedContinuation { continuation in
        calls.answer("task", challenge) { continuation.resume(returning: ($0, $1)) }
      }
    }
  }

  private final class NoLevel: NSObject, URLSessionTaskDelegate {}

  /// Loads from a server with a certificate nobody knows, which then asks for a password.
  private func load(
    _ make: (Calls) -> any URLSessionDelegate, own: (Calls) -> (any URLSessionTaskDelegate)? = { _ in nil }
  ) async throws -> (calls: [String], own: [String], result: Result<Int, URLError>) {
    let server = LessonServer(tls: TLSSettings(leaf: .selfSigned, authority: try CertificateAuthority()))
    try server.start()
    defer { server.stop() }
    let (calls, ownCalls) = (Calls(), Calls())
    let session = URLSession(configuration: .ephemeral, delegate: make(calls), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: server.url("/basic")))
    do {
      let (_, response) = try await session.data(from: url, delegate: own(ownCalls))
      return (calls.all, ownCalls.all, .success((response as? HTTPURLResponse)?.statusCode ?? 0))
    } catch let error as URLError {
      return (calls.all, ownCalls.all, .failure(error))
    }
  }

  private func code(_ result: Result<Int, URLError>) -> Int {
    switch result {
    case .success(let status): status
    case .failure(let error): error.errorCode
    }
  }

  @Test func `the session-level method is asked about the server, never about a password (D56)`() async throws {
    let run = try await load { SessionLevel($0) }
    #expect(run.calls == ["session"] && code(run.result) == 401)
  }

  @Test func `without a session-level method the task-level one is asked about both`() async throws {
    let run = try await load { TaskLevel($0) }
    #expect(run.calls == ["task", "task"] && code(run.result) == 200)
  }

  @Test func `with both methods each is asked about its own`() async throws {
    let run = try await load { BothLevels($0) }
    #expect(run.calls == ["session", "task"] && code(run.result) == 200)
  }

  @Test func `the asynchronous spelling of both methods (B.9)`() async throws {
    let run = try await load { Asynchronous($0) }
    #expect(run.calls == ["session", "task"] && code(run.result) == 200)
    let own = try await load({ _ in NoLevel() }, own: { Asynchronous($0) })
    #expect(own.own == ["session", "task"] && code(own.result) == 200)
  }

  @Test func `with neither method both are handled by default`() async throws {
    let run = try await load { _ in NoLevel() }
    #expect(code(run.result) == -1202)
  }

  @Test func `a task's own delegate comes first`() async throws {
    let run = try await load({ BothLevels($0) }, own: { BothLevels($0) })
    #expect(run.own == ["session", "task"] && run.calls.isEmpty && code(run.result) == 200)
  }

  @Test func `what a task's own delegate does not have falls to the session's, method by method`() async throws {
    let run = try await load({ BothLevels($0) }, own: { _ in NoLevel() })
    #expect(run.calls == ["session", "task"] && code(run.result) == 200)
    let mixed = try await load({ SessionLevel($0) }, own: { TaskLevel($0) })
    #expect(mixed.calls == ["session"] && mixed.own == ["task"] && code(mixed.result) == 200)
  }

  @Test func `after a cancel an answer is nothing, from a delegate or its sender (AU-14)`() async throws {
    let server = LessonServer()
    try server.start()
    defer { server.stop() }
    let calls = Calls()
    let ended = EventLog<Int>()
    let session = URLSession(configuration: .ephemeral, delegate: Cancelling(calls), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: server.url("/basic")))
    session.dataTask(with: url) { _, _, error in ended.append((error as? URLError)?.errorCode ?? 0) }.resume()
    let codes = try await ended.wait { !$0.isEmpty }
    #expect(codes == [-999] && calls.all == ["late"])
    #expect(server.log.snapshot().requests.count == 1)
  }

  /// Cancels the task first, then answers in both ways.
  private final class Cancelling: NSObject, URLSessionTaskDelegate {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      task.cancel()
      calls.answer("late", challenge, completionHandler)
      challenge.sender?.performDefaultHandling(for: challenge)
    }
  }

  @Test func `after a reset nothing is remembered of passwords and servers`() async throws {
    let server = LessonServer(tls: TLSSettings(leaf: .selfSigned, authority: try CertificateAuthority()))
    try server.start()
    defer { server.stop() }
    let calls = Calls()
    let session = URLSession(configuration: .ephemeral, delegate: BothLevels(calls), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: server.url("/basic")))
    for _ in 0..<2 { _ = try await session.data(from: url) }
    let before = calls.all.count { $0 == "session" }
    await session.reset()
    _ = try await session.data(from: url)
    #expect(before == 1 && calls.all.count { $0 == "session" } == 2)
  }

  @Test func `a delegate class without the methods costs no second handshake once that is known`() async throws {
    let server = LessonServer(tls: TLSSettings(leaf: .selfSigned, authority: try CertificateAuthority()))
    try server.start()
    defer { server.stop() }
    let url = try #require(URL(string: server.url("/ok")))
    let session = URLSession(configuration: .ephemeral, delegate: NoLevel(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    _ = try? await session.data(from: url)
    let before = server.log.counts.opened
    _ = try? await session.data(from: url)
    #expect(server.log.counts.opened == before + 1)
  }
}
