// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// The decisions of a delegate about a server's certificate (TL-17 to TL-19; A.6, B.11, L10).
@Suite struct TrustTests {
  private static let ok = Array("ok".utf8)

  private static func accept(_ challenge: SeenChallenge) -> Answer {
    .use(challenge.space.serverTrust.map { URLCredential(trust: $0) })
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a certificate that the system refuses may be accepted`(face: ChallengeFace) async throws {
    for leaf in TLSSettings.Leaf.allCases {
      let server = try TestAuthority.server(leaf)
      let client = ChallengeClient(face) { Self.accept($0) }
      let facts = await client.load(server.url("/ok"))
      #expect(facts.body == Self.ok && facts.error == nil, "\(leaf)")
      let seen = client.seen.withLock { $0 }
      #expect(client.methods == [NSURLAuthenticationMethodServerTrust])
      #expect(face.isConnection || seen.count == 1)
      #expect(seen.first?.space.port == Int(server.port) && seen.first?.space.protocol == NSURLProtectionSpaceHTTPS)
      #expect(server.log.snapshot().requests.count == 1)
      server.stop()
    }
  }

  @Test(arguments: [
    (TLSSettings.Leaf.trusted, 0), (.expired, -67818), (.notYetValid, -67819), (.wrongHost, -67843), (.noSAN, -67843),
    (.selfSigned, -67843), (.unknownAuthority, -67843),
  ]) func `a delegate sees the system's judgement and the certificates`(
    leaf: TLSSettings.Leaf, code: Int
  ) async throws {
    let server = try TestAuthority.server(leaf)
    let client = ChallengeClient(.dataTask) { challenge in
      guard let trust = challenge.space.serverTrust else { return .cancel }
      var error: CFError?
      #expect(SecTrustEvaluateWithError(trust, &error) == (code == 0))
      #expect(error?.code ?? 0 == code)
      let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
      #expect(chain?.first.map { (SecCertificateCopyData($0) as Data).count > 200 } == true)
      return .cancel
    }
    #expect((await client.load(server.url("/ok")).error as? URLError)?.code == .cancelled)
    #expect(client.seen.withLock { $0.count } == 1)
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `refused, left to the system, without a credential (A.6, TL-18)`(face: ChallengeFace) async throws {
    let answers: [(Answer, trusted: Int, selfSigned: Int)] = [
      (.cancel, face.cancelCode, face.cancelCode), (.reject, -1202, -1202), (.performDefault, 0, -1202),
      (.use(nil), 0, -1202), (.login("lesson", "secret"), 0, -1202),
    ]
    let good = try TestAuthority.server(.trusted)
    let bad = try TestAuthority.server(.selfSigned)
    for (answer, trusted, selfSigned) in answers {
      for (server, code) in [(good, trusted), (bad, selfSigned)] {
        let client = ChallengeClient(face) { _ in answer }
        let facts = await client.load(server.url("/ok"))
        #expect((facts.error as? URLError)?.errorCode ?? 0 == code, "\(answer)")
        #expect(facts.ends == 1 && facts.late == 0)
      }
    }
    #expect(bad.log.snapshot().requests.isEmpty)
    #expect(good.log.snapshot().requests.count == 3)
    good.stop()
    bad.stop()
  }

  @Test(arguments: ChallengeFace.allCases.filter { !$0.isConnection })
  func `never answered, it ends with the total time (TL-18)`(face: ChallengeFace) async throws {
    let server = try TestAuthority.server(.trusted)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 1.5
    let client = ChallengeClient(face, configuration: configuration) { _ in .hold }
    #expect((await client.load(server.url("/ok")).error as? URLError)?.code == .timedOut)
    #expect(server.log.snapshot().requests.isEmpty)
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `nothing is sent before the decision, and all of it after (A.6)`(face: ChallengeFace) async throws {
    let server = try TestAuthority.server(.selfSigned)
    let client = ChallengeClient(face) { _ in .hold }
    let observation = client.start(server.url("/upload")) { request in
      request.httpMethod = "POST"
      request.httpBody = Data(SeededBody(seed: 5).bytes(0..<50_000))
    }
    var held = client.held.makeAsyncIterator()
    let challenge = try #require(await held.next())
    #expect(server.log.snapshot().requests.isEmpty)
    challenge.answer(Self.accept(challenge.challenge))
    #expect(await observation.hasEnded(within: .seconds(90)))
    let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
    #expect(requests.map(\.method) == ["POST"])
    #expect(requests.first?.bodyChecksum == SeededBody.checksum(seed: 5, size: 50_000))
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `the decision binds to the certificate that was shown`(face: ChallengeFace) async throws {
    let first = try TestAuthority.server(.selfSigned)
    let client = ChallengeClient(face) { _ in .hold }
    let observation = client.start(first.url("/ok"))
    var held = client.held.makeAsyncIterator()
    let challenge = try #require(await held.next())
    let (url, port) = (first.url("/ok"), first.port)
    first.stop()
    // Another server takes its place, with another key.
    let second = try TestAuthority.server(.selfSigned, port: port)
    challenge.answer(Self.accept(challenge.challenge))
    let again = try #require(await held.next())
    #expect(second.log.snapshot().requests.isEmpty)
    // An answer that was right for the first one is nothing for the second.
    again.answer(Self.accept(challenge.challenge))
    #expect(await observation.hasEnded(within: .seconds(90)))
    #expect((observation.facts.error as? URLError)?.code == .serverCertificateUntrusted)
    #expect(second.log.snapshot().requests.isEmpty)
    #expect(url == second.url("/ok"))
    second.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `left to the system, another certificate is asked about again`(face: ChallengeFace) async throws {
    let first = try TestAuthority.server(.trusted)
    let client = ChallengeClient(face) { _ in .performDefault }
    #expect(await client.load(first.url("/ok")).body == Self.ok)
    let port = first.port
    first.stop()
    let second = try TestAuthority.server(.trusted, port: port)
    #expect(await client.load(second.url("/ok")).body == Self.ok)
    let seen = client.seen.withLock { $0.compactMap(\.space.serverTrust) }
    let leaves = seen.compactMap { SecTrustCopyCertificateChain($0)?.first as? SecCertificate }
    #expect(Set(leaves).count >= 2)
    second.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `what one accepts is nothing to others (TL-17, TL-19)`(face: ChallengeFace) async throws {
    let server = try TestAuthority.server(.selfSigned)
    let trusting = ChallengeClient(face) { Self.accept($0) }
    #expect(await trusting.load(server.url("/ok")).body == Self.ok)
    let other = ChallengeClient(face) { _ in .performDefault }
    #expect((await other.load(server.url("/ok")).error as? URLError)?.code == .serverCertificateUntrusted)
    for face in Face.allCases {
      let client = Client(face)
      let observation = client.start(URLRequest(url: try #require(URL(string: server.url("/ok")))))
      #expect(await observation.hasEnded(within: .seconds(90)))
      #expect((observation.facts.error as? URLError)?.code == .serverCertificateUntrusted)
    }
    // Where it was accepted it is again: by a method of each task, or of each connection, that is asked anew.
    #expect(await trusting.load(server.url("/ok")).body == Self.ok)
    let count = trusting.seen.withLock { $0.count }
    #expect(face.isConnection ? count >= 2 : count == 2)
    let used = server.log.snapshot().requests.map(\.socket)
    #expect(used.count == 2)
    // And the connection was used again; those of all NSURLConnections may have been too many to keep this one.
    if !face.isConnection { #expect(Set(used).count == 1) }
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a password is asked for after the server is trusted`(face: ChallengeFace) async throws {
    let server = try TestAuthority.server(.selfSigned)
    let client = ChallengeClient(face) {
      $0.space.serverTrust == nil ? .login("lesson", "secret") : Self.accept($0)
    }
    #expect(await client.load(server.url("/basic")).body == Self.ok)
    #expect(client.methods == [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodHTTPBasic])
    server.stop()
  }
}
