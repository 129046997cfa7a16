// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing
import URLLoading

@testable import SessionAPI

/// WebSockets over TLS (B.8, B.11).
@Suite struct WebSocketSecurityTests {
  /// A fixture whose server shows a certificate of this kind, and whose session trusts its authority, or the system's.
  private static func fixture(
    _ leaf: TLSSettings.Leaf = .trusted, trusts: Bool = true, routes: [Route] = Route.standard
  ) throws -> SocketFixture {
    let authority = try CertificateAuthority()
    var configuration = URLSessionConfiguration.ephemeral.loadConfiguration
    if trusts { configuration.wire.authorities = Data(authority.pem.utf8) }
    return try SocketFixture(
      routes, tls: TLSSettings(leaf: leaf, authority: authority), configuration: URLSessionConfiguration(configuration))
  }

  @Test func `wss asks the task-level method of each task about the server's trust, and speaks HTTP 1 (B8)`()
    async throws
  {
    let fixture = try Self.fixture()
    for text in ["one", "two"] {
      let task = try fixture.task()
      try await task.send(.string(text))
      #expect(await task.next() == text)
    }
    let challenges = fixture.recorder.log.all.filter { if case .challenge = $0 { true } else { false } }
    #expect(challenges == Array(repeating: .challenge(NSURLAuthenticationMethodServerTrust), count: 2))
    let records = fixture.server.log.snapshot().sockets.compactMap(\.tls)
    #expect(records.filter { $0.failure == nil }.allSatisfy { $0.protocolName == "http/1.1" })
  }

  @Test(arguments: [TLSSettings.Leaf.trusted, .expired, .wrongHost])
  func `a server that is not to be trusted gets no handshake (B8)`(leaf: TLSSettings.Leaf) async throws {
    let fixture = try Self.fixture(leaf, trusts: leaf != .trusted)
    let task = try fixture.task()
    let code = try #require(Int(await task.next()))
    #expect((-1204 ... -1201).contains(code))
    #expect(fixture.server.log.snapshot().requests.isEmpty)
  }

  @Test func `large messages pass over TLS in both directions at once (B8)`() async throws {
    let fixture = try Self.fixture()
    let task = try fixture.task()
    let content = Data(SeededBody(seed: 8).bytes(0..<(900 << 10)))
    for _ in 0..<8 { task.send(.data(content)) { #expect($0 == nil) } }
    for _ in 0..<8 {
      guard case .data(let back) = try await task.receive() else { throw URLError(.unknown) }
      let isEqual = back == content
      #expect(isEqual)
    }
    task.cancel(with: .normalClosure, reason: nil)
    #expect(try await fixture.events().last == .complete(nil))
  }

  @Test(arguments: [Ending.fin, .bareFin, .rst])
  func `an end without a close frame is a loss, however it comes (B8)`(ending: Ending) async throws {
    let script: Script = [
      .acceptSocket(protocol: nil), .bytes(SocketFrame.text("one").bytes), .gate("go"), .end(ending),
    ]
    let fixture = try Self.fixture(routes: [Route("/lost", script: script)])
    let task = try fixture.task("/lost")
    #expect(await task.next() == "one")
    fixture.server.open(gate: "go")
    #expect(await task.next() == "-1005")
    #expect(try await fixture.events().last == .complete(-1005))
  }

  @Test(arguments: [Ending.fin, .bareFin, .rst], [true, false])
  func `an own close frame that the server answers by an end, however it comes, is told with its own code (B9)`(
    ending: Ending, overTLS: Bool
  ) async throws {
    let script: Script = [
      .acceptSocket(protocol: nil), .bytes(SocketFrame.text("one").bytes), .gate("go"), .end(ending),
    ]
    let routes = [Route("/leave", script: script)]
    let fixture = try overTLS ? Self.fixture(routes: routes) : SocketFixture(routes)
    let task = try fixture.task("/leave")
    #expect(await task.next() == "one")
    task.cancel(with: .goingAway, reason: Data("bye".utf8))
    // The frame has been handed over before the server ends.
    await withCheckedContinuation { frame in Load.onThread { frame.resume() } }
    fixture.server.open(gate: "go")
    let events = try await fixture.events()
    #expect(events.suffix(3) == [.closed(.goingAway, "bye"), .metrics(transactions: 1), .complete(nil)])
    #expect(task.closeCode == .goingAway && task.closeReason == Data("bye".utf8))
    #expect(task.error == nil)
  }
}
