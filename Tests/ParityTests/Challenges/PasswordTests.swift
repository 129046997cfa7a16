// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Names and passwords on both APIs (faults 4.6; A.6, B.11).
@Suite struct PasswordTests {
  private static let ok = Array("ok".utf8)
  private static let refusal = Array("who is there?\n".utf8)

  private func expectOK(_ facts: Observation.Facts, _ place: SourceLocation = #_sourceLocation) {
    #expect(facts.status == 200, sourceLocation: place)
    #expect(facts.body == Self.ok, sourceLocation: place)
    #expect(facts.error == nil && facts.ends == 1 && facts.late == 0, sourceLocation: place)
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a right answer leads to the response, and nothing of the 401 is seen (A.4, A.6)`(
    face: ChallengeFace
  ) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      expectOK(await client.load(server.url("/basic")))
      let seen = client.seen.withLock { $0 }
      #expect(seen.count == 1)
      let challenge = try #require(seen.first)
      #expect(challenge.space.realm == "lesson" && challenge.space.host == "127.0.0.1")
      #expect(challenge.space.port == Int(server.port) && challenge.space.protocol == NSURLProtectionSpaceHTTP)
      #expect(challenge.space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
      #expect(challenge.failures == 0 && challenge.proposed == nil && challenge.failureStatus == 401)
      let log = server.log.snapshot()
      #expect(log.requests.map { $0["Authorization"] != nil } == [false, true])
      // NSURLConnection's pool is everybody's: an idle connection may give way to those of other tests.
      if !face.isConnection { #expect(log.sockets.count == 1, "the short 401 leaves the connection in order") }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a refused credential is shown with the next challenge (A.6)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { .login("lesson", $0.failures == 2 ? "secret" : "wrong \($0.failures)") }
      expectOK(await client.load(server.url("/basic")))
      let seen = client.seen.withLock { $0 }
      #expect(seen.map(\.failures) == [0, 1, 2])
      #expect(seen.map { $0.proposed?.password } == [nil, "wrong 0", "wrong 1"])
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `the same wrong password for ever ends with the 401 (AU-04)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "wrong") }
      let facts = await client.load(server.url("/basic"))
      #expect(facts.status == 401 && facts.body == Self.refusal && facts.error == nil)
      #expect(client.seen.withLock { $0.map(\.failures) } == [0, 1, 2, 3, 4])
      #expect(server.log.snapshot().requests.count == 6)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `without a credential the 401 is the response (A.6)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      for answer in [Answer.use(nil), .performDefault, .reject] {
        let client = ChallengeClient(face) { _ in answer }
        let facts = await client.load(server.url("/basic"))
        #expect(facts.status == 401 && facts.body == Self.refusal && facts.error == nil)
      }
      #expect(server.log.snapshot().requests.allSatisfy { $0["Authorization"] == nil })
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a cancelled challenge ends the load with the code of its API (A.6)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .cancel }
      let facts = await client.load(server.url("/basic"))
      #expect((facts.error as? URLError)?.errorCode == face.cancelCode)
      #expect(facts.ends == 1 && facts.late == 0)
      #expect(client.withdrawn.withLock { $0 } == 0)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a rejected space leads to the next one of the same response (A.6)`(face: ChallengeFace) async throws {
    let wanted = "Basic " + Data("b:2".utf8).base64EncodedString()
    let route = Route("/two") { request in
      request.head["Authorization"] == wanted
        ? .response(.text("ok")) : .response(.unauthorized("Basic realm=one", "Basic realm=two"))
    }
    try await LessonServer.serving([route]) { server in
      let client = ChallengeClient(face) { $0.space.realm == "two" ? .login("b", "2") : .reject }
      expectOK(await client.load(server.url("/two")))
      #expect(client.seen.withLock { $0.map(\.space.realm) } == ["one", "two"])
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `the answer may come late, from another thread, twice (A.6, AU-14)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .hold }
      let observation = client.start(server.url("/basic"))
      var held = client.held.makeAsyncIterator()
      let challenge = try #require(await held.next())
      try await onThread {
        challenge.answer(.login("lesson", "secret"))
        challenge.answer(.cancel)
      }
      #expect(await observation.hasEnded(within: .seconds(90)))
      expectOK(observation.facts)
      challenge.answer(.cancel)
    }
  }

  @Test(arguments: ChallengeFace.allCases.filter { !$0.isConnection })
  func `a forgotten answer lasts until the total limit, not until the idle one (AU-14)`(
    face: ChallengeFace
  ) async throws {
    try await LessonServer.serving { server in
      let configuration = URLSessionConfiguration.ephemeral
      // Under a sanitizer the answer of the server itself may take longer than a short idle time.
      let (idle, total) = TestMachine.keepsTime ? (0.4, 2.0) : (5, 10)
      configuration.timeoutIntervalForRequest = idle
      configuration.timeoutIntervalForResource = total
      let client = ChallengeClient(face, configuration: configuration) { _ in .hold }
      let start = ContinuousClock.now
      let facts = await client.load(server.url("/basic"))
      #expect((facts.error as? URLError)?.code == .timedOut)
      #expect(ContinuousClock.now - start >= .seconds(total))
    }
  }

  @Test(.enabled(if: TestMachine.keepsTime), arguments: [ChallengeFace.connection, .legacyConnection])
  func `no idle time runs while a connection waits for an answer (A.6)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .hold }
      let observation = client.start(server.url("/basic")) { $0.timeoutInterval = 4 }
      var held = client.held.makeAsyncIterator()
      let challenge = try #require(await held.next())
      // Silence is what is tested: more than the idle limit, which a busy machine must not reach by itself.
      try await Task.sleep(for: .seconds(6))
      #expect(observation.facts.ends == 0)
      challenge.answer(.login("lesson", "secret"))
      #expect(await observation.hasEnded(within: .seconds(90)))
      expectOK(observation.facts)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a connection that is lost meanwhile ends the load, and withdraws the challenge (A.6)`(
    face: ChallengeFace
  ) async throws {
    let cut = Script([
      .text("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 9\r\n\r\n"), .gate("lose"),
      .end(.rst),
    ])
    try await LessonServer.serving([Route("/cut", script: cut)]) { server in
      let client = ChallengeClient(face) { _ in .hold }
      let observation = client.start(server.url("/cut"))
      var held = client.held.makeAsyncIterator()
      let challenge = try #require(await held.next())
      server.open(gate: "lose")
      #expect(await observation.hasEnded(within: .seconds(90)))
      #expect((observation.facts.error as? URLError)?.code == .networkConnectionLost)
      #expect(client.withdrawn.withLock { $0 } == (face.isConnection ? 1 : 0))
      challenge.answer(.login("lesson", "secret"))
      #expect(observation.facts.ends == 1 && observation.facts.late == 0)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `the body is sent again after a 401`(face: ChallengeFace) async throws {
    try await LessonServer.serving([.basic("/post")]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      let facts = await client.load(server.url("/post")) { request in
        request.httpMethod = "POST"
        request.httpBody = Data(SeededBody(seed: 3).bytes(0..<100_000))
      }
      expectOK(facts)
      let checksums = server.log.settled(within: .seconds(TestMachine.patience)).requests.map(\.bodyChecksum)
      #expect(checksums == Array(repeating: SeededBody.checksum(seed: 3, size: 100_000), count: 2))
    }
  }
}
