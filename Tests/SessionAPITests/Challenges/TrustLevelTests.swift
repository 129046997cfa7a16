// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// TL-17: for whom an answer about a server counts, by the level of the method that gave it.
@Suite struct TrustLevelTests {
  private typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  private enum Decision: Sendable {
    case accept, performDefault, reject, hold
  }

  /// The questions that delegates were asked, and those that wait.
  private final class Desk: Sendable {
    let asked = EventLog<String>()
    private let held = Locked<[(space: URLProtectionSpace, handler: Handler)]>([])

    func answer(
      _ name: String, _ decision: Decision, _ challenge: URLAuthenticationChallenge, _ handler: @escaping Handler
    ) {
      guard decision != .hold else {
        held.withLock { $0.append((challenge.protectionSpace, handler)) }
        return asked.append(name)
      }
      asked.append(name)
      Self.give(decision, challenge.protectionSpace, handler)
    }

    /// Answers all questions that wait.
    func release(_ decision: Decision) {
      let all = held.withLock { held in
        defer { held = [] }
        return held
      }
      for (space, handler) in all { Self.give(decision, space, handler) }
    }

    private static func give(_ decision: Decision, _ space: URLProtectionSpace, _ handler: Handler) {
      switch decision {
      case .accept: handler(.useCredential, space.serverTrust.map { URLCredential(trust: $0) })
      case .performDefault: handler(.performDefaultHandling, nil)
      case .reject: handler(.rejectProtectionSpace, nil)
      case .hold: break
      }
    }
  }

  /// Has the task-level method alone, and decides by the task's description.
  private final class TaskLevel: NSObject, URLSessionTaskDelegate {
    let desk: Desk
    let decide: @Sendable (String) -> Decision
    init(_ desk: Desk, _ decide: @escaping @Sendable (String) -> Decision) { (self.desk, self.decide) = (desk, decide) }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let name = task.taskDescription ?? ""
      desk.answer(name, decide(name), challenge, completionHandler)
    }
  }

  private final class SessionLevel: NSObject, URLSessionDelegate {
    let desk: Desk
    let decision: Decision
    init(_ desk: Desk, _ decision: Decision) { (self.desk, self.decision) = (desk, decision) }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      desk.answer("session", decision, challenge, completionHandler)
    }
  }

  private final class NoLevel: NSObject, URLSessionTaskDelegate {}

  /// A server that nobody knows, and a session that asks about it.
  private final class Bench: Sendable {
    let server: LessonServer
    let session: URLSession
    /// "NAME CODE" of each task that ended; the code is 0 without an error.
    let ends = EventLog<String>()

    init(_ delegate: any URLSessionDelegate) throws {
      server = LessonServer(tls: TLSSettings(leaf: .selfSigned, authority: try CertificateAuthority()))
      try server.start()
      session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    }

    deinit {
      session.invalidateAndCancel()
      server.stop()
    }

    func load(_ name: String, in other: URLSession? = nil, own: (any URLSessionTaskDelegate)? = nil) throws {
      let url = try #require(URL(string: server.url("/ok")))
      let task = (other ?? session).dataTask(with: url) { [ends] _, _, error in
        ends.append("\(name) \((error as? URLError)?.errorCode ?? 0)")
      }
      task.taskDescription = name
      task.delegate = own
      task.resume()
    }

    func ends(_ count: Int) async throws -> Set<String> { Set(try await ends.wait { $0.count >= count }) }
  }

  @Test(arguments: [false, true])
  func `each task gets the answer of its own task-level method, in either order (TL-17)`(acceptsFirst: Bool)
    async throws
  {
    let desk = Desk()
    let bench = try Bench(TaskLevel(desk) { $0 == "accepts" ? .accept : .performDefault })
    let names = acceptsFirst ? ["accepts", "leaves"] : ["leaves", "accepts"]
    for (count, name) in names.enumerated() {
      try bench.load(name)
      _ = try await bench.ends(count + 1)
    }
    #expect(Set(bench.ends.all) == ["accepts 0", "leaves -1202"])
    #expect(desk.asked.all == names)
    #expect(bench.server.log.snapshot().requests.count == 1)
  }

  @Test(arguments: [false, true])
  func `a task that waits for its answer, or refuses, holds up no other (TL-17)`(ownDelegates: Bool) async throws {
    let desk = Desk()
    let decide: @Sendable (String) -> Decision = { $0 == "waits" ? .hold : $0 == "refuses" ? .reject : .accept }
    let bench = try Bench(TaskLevel(desk, decide))
    let own: () -> TaskLevel? = { ownDelegates ? TaskLevel(desk, decide) : nil }
    try bench.load("waits", own: own())
    _ = try await desk.asked.wait { $0 == ["waits"] }
    try bench.load("refuses", own: own())
    try bench.load("accepts", own: own())
    #expect(try await bench.ends(2) == ["refuses -1202", "accepts 0"])
    #expect(bench.server.log.snapshot().requests.count == 1)
    desk.release(.performDefault)
    #expect(try await bench.ends(3).contains("waits -1202"))
    try bench.load("again", own: own())
    #expect(try await bench.ends(4).contains("again 0"))
    // Each request that goes out goes over a connection whose task accepted the server.
    #expect(Set(bench.server.log.snapshot().requests.map(\.socket)).count == 1)
  }

  @Test
  func `what the session-level method accepts counts for all tasks of the session, without a second question (TL-17)`()
    async throws
  {
    let desk = Desk()
    let bench = try Bench(SessionLevel(desk, .accept))
    for number in 0..<10 { try bench.load("\(number)", own: number % 2 == 0 ? nil : NoLevel()) }
    #expect(try await bench.ends(10) == Set((0..<10).map { "\($0) 0" }))
    #expect(desk.asked.all == ["session"])
    try bench.load("later", own: NoLevel())
    #expect(try await bench.ends(11).contains("later 0"))
    #expect(desk.asked.all == ["session"])
  }

  @Test
  func `what the session-level method leaves to the system stays so, and another session is asked itself (TL-17)`()
    async throws
  {
    let desk = Desk()
    let bench = try Bench(SessionLevel(desk, .performDefault))
    for name in ["a", "b"] { try bench.load(name) }
    #expect(try await bench.ends(2) == ["a -1202", "b -1202"])
    #expect(desk.asked.all == ["session"])
    // A task's own delegate comes first, and counts for its task alone.
    try bench.load("own", own: BothLevels(desk))
    #expect(try await bench.ends(3).contains("own 0"))
    try bench.load("c")
    #expect(try await bench.ends(4).contains("c -1202"))
    #expect(desk.asked.all == ["session", "own"])
    let other = URLSession(configuration: .ephemeral, delegate: SessionLevel(desk, .accept), delegateQueue: nil)
    defer { other.invalidateAndCancel() }
    try bench.load("other", in: other)
    #expect(try await bench.ends(5).contains("other 0"))
    #expect(desk.asked.all == ["session", "own", "session"])
  }

  /// A task's own delegate that accepts at the session's level.
  private final class BothLevels: NSObject, URLSessionTaskDelegate {
    let desk: Desk
    init(_ desk: Desk) { self.desk = desk }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      desk.answer("own", .accept, challenge, completionHandler)
    }
  }
}
