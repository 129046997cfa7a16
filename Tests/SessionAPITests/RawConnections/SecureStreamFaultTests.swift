// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// B.8 and B.11: what `startSecureConnection()` refuses, and who is asked about it.
@Suite struct SecureStreamFaultTests {
  private typealias Streams = SecureStreamTests

  /// The code that everything which waits for TLS is answered with, and the task ends with.
  private static func failure(
    _ fixture: StreamFixture, _ task: URLSessionStreamTask, timeout: TimeInterval = 0
  ) async throws -> Int? {
    let code = await task.put("secret", timeout: timeout)
    #expect(await task.text() == "\(code ?? 0)")
    #expect(try await fixture.recorder.events().last == .complete(code))
    return code
  }

  // MARK: - Who is asked

  @Test(arguments: [
    (TLSSettings.Leaf.trusted, -1203), (.expired, -1201), (.wrongHost, -1202), (.clientOnly, -1202),
  ]) func `a server that is not to be trusted gets no byte (TL-01 to TL-08)`(leaf: TLSSettings.Leaf, code: Int)
    async throws
  {
    let fixture = try Streams.fixture(trusts: leaf != .trusted, change: { $0.leaf = leaf })
    #expect(try await Self.failure(fixture, await Streams.turning(fixture)) == code)
    #expect(fixture.recorder.log.all.filter { $0 == .challenge }.count == 1)
    #expect(fixture.server.log.counts.opened == 1)
  }

  @Test func `a delegate may accept a server as it is, and takes the time that it needs (B11)`() async throws {
    let waiting = EventLog<@Sendable () -> Void>()
    let fixture = try Streams.fixture(
      trusts: false,
      answer: { challenge, answer in
        let trust = challenge.protectionSpace.serverTrust
        waiting.append { answer(.useCredential, trust.map { URLCredential(trust: $0) }) }
      })
    let task = await Streams.turning(fixture)
    async let answer = task.put("secret")
    let decide = try await waiting.wait { !$0.isEmpty }[0]
    decide()
    #expect(await answer == nil)
    #expect(await task.text(6) == "secret")
    #expect(fixture.server.log.counts.opened == 1)
  }

  @Test(arguments: [
    (URLSession.AuthChallengeDisposition.rejectProtectionSpace, -1202), (.cancelAuthenticationChallenge, -999),
  ]) func `a delegate may refuse a server that all others trust (B11)`(
    disposition: URLSession.AuthChallengeDisposition, code: Int
  ) async throws {
    let fixture = try Streams.fixture(answer: { $1(disposition, nil) })
    #expect(try await Self.failure(fixture, await Streams.turning(fixture)) == code)
  }

  @Test func `what a session knows of a server is asked about before the handshake, and holds in it (B11)`()
    async throws
  {
    let fixture = try Streams.fixture()
    for _ in 0..<2 {
      let task = await Streams.turning(fixture)
      #expect(await task.put("secret") == nil)
      #expect(await task.text(6) == "secret")
    }
    #expect(fixture.server.log.counts.opened == 2)
  }

  @Test(arguments: [false, true], [TLSSettings.ClientCertificate.wanted, .required])
  func `a certificate of the client's own is shown when it is asked for (TL-12)`(
    isOld: Bool, wish: TLSSettings.ClientCertificate
  ) async throws {
    let authority = try CertificateAuthority()
    let (certificate, key) = try authority.makeClient(named: "anna")
    let identity = try #require(SecIdentity(certificates: Data(certificate.utf8), key: Data(key.utf8)))
    let fixture = try Streams.fixture(
      answer: { challenge, answer in
        let isIdentity = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate
        guard isIdentity else { return answer(.performDefaultHandling, nil) }
        answer(.useCredential, URLCredential(identity: identity, certificates: nil, persistence: .none))
      },
      change: {
        $0.authority = authority
        $0.clientCertificate = wish
        if isOld { $0.offer = .tls12 }
      })
    let task = await Streams.turning(fixture)
    #expect(await task.put("secret") == nil)
    #expect(await task.text(6) == "secret")
    #expect(fixture.server.log.snapshot().sockets.map { $0.tls?.clientName } == ["anna"])
  }

  @Test(arguments: [false, true])
  func `without one a server that requires it refuses (TL-12)`(isOld: Bool) async throws {
    let fixture = try Streams.fixture(change: {
      $0.clientCertificate = .required
      if isOld { $0.offer = .tls12 }
    })
    let task = await Streams.turning(fixture)
    #expect(await task.text() == "-1206")
    #expect(try await fixture.recorder.events().last == .complete(-1206))
  }

  @Test(arguments: [(TLSSettings.Offer.tls12, UInt16(0x0303), 0), (.tls12, 0x0304, -1200), (.tls11, 0x0303, -1200)])
  func `a stream speaks the configuration's versions of TLS (B4)`(
    offer: TLSSettings.Offer, oldest: UInt16, code: Int
  ) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.values.withLock { $0.wire.oldestTLS = oldest }
    let fixture = try Streams.fixture(configuration: configuration, change: { $0.offer = offer })
    let task = await Streams.turning(fixture)
    #expect(await task.put("secret") == (code == 0 ? nil : code))
    #expect(await task.text(6) == (code == 0 ? "secret" : "\(code)"))
  }

  // MARK: - What cannot be

  @Test func `plain bytes that nobody has read are never taken for the server's word over TLS`() async throws {
    let fixture = try Streams.fixture([.readLine, .text("go\r\nevil\r\n"), .beginTLS, .echo])
    let task = fixture.task()
    #expect(await task.put("STARTTLS\r\n") == nil)
    #expect(await task.text(4, 4) == "go\r\n")
    task.startSecureConnection()
    #expect(try await Self.failure(fixture, task) == -1200)
  }

  @Test func `a stream whose one side is closed cannot begin with TLS`() async throws {
    let fixture = try Streams.fixture([.readLine, .text("go\r\n"), .stall])
    let task = fixture.task()
    #expect(await task.put("STARTTLS\r\n") == nil)
    #expect(await task.text(4) == "go\r\n")
    task.closeWrite()
    task.startSecureConnection()
    #expect(await task.text() == "-1200")
    #expect(try await fixture.recorder.events().last == .complete(-1200))
  }

  @Test(
    arguments: [
      [.text("220 nothing of the sort\r\n")], [.text("\u{16}\u{3}")], [.end(.fin)], [.end(.rst)], [.end(.abruptClose)],
    ] as [[Step]]) func `a server that does not shake hands (TL-14)`(steps: [Step]) async throws
  {
    let fixture = try Streams.fixture(Script([.readLine, .text("go\r\n"), .gate("hello")] + steps))
    let task = await Streams.turning(fixture)
    // The handshake begins with the next turn of the I/O thread.
    await withCheckedContinuation { begun in Load.onThread { Load.onThread { begun.resume() } } }
    fixture.server.open(gate: "hello")
    #expect(try await Self.failure(fixture, task) == -1200)
  }

  @Test func `a handshake that stands still ends with the request's time-out`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    // The limit is that of connecting, too, which waits for its turn on a busy machine.
    configuration.timeoutIntervalForRequest = 8
    let fixture = try Streams.fixture([.readLine, .text("go\r\n"), .stall], configuration: configuration)
    #expect(try await Self.failure(fixture, await Streams.turning(fixture)) == -1001)
  }

  @Test func `a write that waits for TLS has a time-out, too`() async throws {
    let fixture = try Streams.fixture([.readLine, .text("go\r\n"), .stall])
    let task = await Streams.turning(fixture)
    #expect(await task.put("secret", timeout: 0.1) == -1001)
    task.cancel()
    #expect(try await fixture.recorder.events().last == .complete(-999))
  }

  @Test func `a task that is cancelled in its handshake ends as cancelled, while its delegate still thinks`()
    async throws
  {
    let waiting = EventLog<@Sendable () -> Void>()
    let fixture = try Streams.fixture(answer: { _, answer in waiting.append { answer(.performDefaultHandling, nil) } })
    let task = await Streams.turning(fixture)
    let late = try await waiting.wait { !$0.isEmpty }[0]
    task.cancel()
    #expect(try await Self.failure(fixture, task) == -999)
    late()
  }

  @Test(arguments: [(Ending.fin, "."), (.bareFin, "-1005"), (.rst, "-1005")])
  func `an end that the server did not announce is a loss (TL-16)`(ending: Ending, answer: String) async throws {
    let fixture = try Streams.fixture([.readLine, .text("go\r\n"), .beginTLS, .text("bye"), .gate("go"), .end(ending)])
    let task = await Streams.turning(fixture)
    #expect(await task.text(3) == "bye")
    fixture.server.open(gate: "go")
    #expect(await task.text() == answer)
  }
}
