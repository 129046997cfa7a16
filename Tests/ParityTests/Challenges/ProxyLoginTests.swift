// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import Locking
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// A proxy of the environment that wants NTLM, on both APIs. In processes of their own, whose environment it is; so not under a
/// sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct ProxyLoginTests {
  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `a proxy's NTLM is asked about once and carried out (AU-24)`(face: ChallengeFace) async throws {
    let door = NTLMGuard(NTLMSettings())
    let proxy = LoopbackProxy(logsIn: { door.challenges(after: $0, on: $1) })
    let server = LessonServer()
    try server.start()
    defer {
      proxy.stop()
      server.stop()
    }
    await #expect(processExitsWith: .success) {
      [face = face as ChallengeFace, port = proxy.port as Int, serverPort = Int(server.port) as Int] in
      setenv("http_proxy", "http://127.0.0.1:\(port)", 1)
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      // The lesson server answers to no foreign name; the answer shows that it was asked.
      for _ in 1...2 { #expect(await client.load("http://lesson.invalid:\(serverPort)/ok").status == 421) }
      let seen = client.seen.withLock { $0 }
      #expect(seen.count == 1 && seen.first?.failureStatus == 407)
      let space = seen.first?.space
      #expect(space?.isProxy() == true && space?.authenticationMethod == NSURLAuthenticationMethodNTLM)
      #expect(space?.host == "127.0.0.1" && space?.port == port)
    }
    let asked = proxy.asked
    try #require(asked.count == 4)
    #expect(asked.map { $0.fields["proxy-authorization"] != nil } == [false, true, true, false])
    #expect(Set(asked.dropFirst().map(\.connection)).count == 1 && asked[0].connection != asked[1].connection)
  }

  @Test(arguments: ChallengeFace.allCases)
  func `without an answer the 407 is the response (AU-26)`(face: ChallengeFace) async throws {
    let proxy = LoopbackProxy(logsIn: { _, _ in ["Negotiate", "NTLM"] })
    defer { proxy.stop() }
    await #expect(processExitsWith: .success) { [face = face as ChallengeFace, port = proxy.port as Int] in
      setenv("http_proxy", "http://127.0.0.1:\(port)", 1)
      let client = ChallengeClient(face) { _ in .use(nil) }
      let facts = await client.load("http://lesson.invalid/ok")
      #expect(facts.status == 407 && facts.error == nil && facts.body == Array("who?".utf8))
      let cancelled = ChallengeClient(face) { _ in .cancel }
      let error = await cancelled.load("http://lesson.invalid/ok").error as? URLError
      #expect(error?.errorCode == face.cancelCode)
    }
    #expect(proxy.asked.allSatisfy { $0.fields["proxy-authorization"] == nil })
  }
}
