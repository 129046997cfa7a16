// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

@Suite struct SecureTransferTests {
  /// Runs `body` with a server that shows a certificate of this kind, and a transport that trusts its authority.
  private func withServer(
    _ leaf: TLSSettings.Leaf, protocols: [String] = ["h2", "http/1.1"], trusts: Bool = true,
    _ body: @escaping @Sendable (LessonServer, Transport) throws -> Void
  ) async throws {
    try await onThread {
      let authority = try CertificateAuthority()
      let server = LessonServer(
        routes: Route.standard, tls: TLSSettings(leaf: leaf, authority: authority, protocols: protocols))
      try server.start()
      defer { server.stop() }
      try body(server, Transport(authorities: trusts ? Array(authority.pem.utf8) : nil))
    }
  }

  private static func end(_ server: LessonServer, _ transport: Transport, _ path: String = "/ok") -> TransferProbe {
    let probe = TransferProbe()
    _ = transport.start(TransferRequest(url: server.url(path)), consumer: probe)
    #expect(probe.waitForEnd())
    return probe
  }

  @Test func `a trusted certificate needs nothing more`() async throws {
    try await withServer(.trusted) { server, transport in
      let probe = Self.end(server, transport, "/body?size=3MiB&seed=2")
      #expect(probe.record.withLock { $0.failure } == nil)
      #expect(probe.checksum() == SeededBody.checksum(seed: 2, size: 3 << 20))
      #expect(probe.record.withLock { $0.metrics.secured } != nil)
    }
  }

  @Test func `Brotli is asked for over TLS, as Apple does (B.16)`() async throws {
    try await withServer(.trusted) { server, transport in
      var request = TransferRequest(url: server.url("/ok"))
      request.decodesContent = true
      let probe = TransferProbe()
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(server.log.snapshot().requests.map { $0["Accept-Encoding"] } == ["gzip, deflate, br"])
    }
  }

  @Test func `without HTTP 2 on offer, HTTP 1 is spoken`() async throws {
    try await withServer(.trusted, protocols: ["http/1.1"]) { server, transport in
      #expect(Self.end(server, transport).record.withLock { $0.metrics.protocolName } == "http/1.1")
    }
  }

  /// What OpenSSL has read ahead when the server falls silent would never be heard of by the socket: each of these bodies is
  /// a few records, which come at once.
  @Test(arguments: [false, true])
  func `records that were read ahead come without a word of the socket`(pauses: Bool) async throws {
    try await withServer(.trusted, protocols: ["http/1.1"]) { server, transport in
      for size in [1, 16_384, 16_385, 40_000, 65_536, 150_000, 1 << 20] {
        let steering = Locked<Transfer?>(nil)
        let probe = TransferProbe(flow: { _ in
          guard pauses else { return .proceed }
          transport.perform { steering.withLock { $0 }?.resume() }
          return .pause
        })
        steering.withLock { held in
          held = transport.start(TransferRequest(url: server.url("/body?size=\(size)&seed=3")), consumer: probe)
        }
        #expect(probe.waitForEnd())
        #expect(probe.record.withLock { $0.failure } == nil)
        #expect(probe.checksum() == SeededBody.checksum(seed: 3, size: Int64(size)))
        steering.withLock { $0 = nil }
      }
      #expect(server.log.counts.opened == 1)
    }
  }

  @Test func `many connections that read ahead all come to their end`() async throws {
    try await withServer(.trusted, protocols: ["http/1.1"]) { server, transport in
      let probes = (0..<24).map { _ in TransferProbe() }
      for (index, probe) in probes.enumerated() {
        _ = transport.start(TransferRequest(url: server.url("/body?size=2MiB&seed=\(index)")), consumer: probe)
      }
      for (index, probe) in probes.enumerated() {
        #expect(probe.waitForEnd())
        #expect(probe.checksum() == SeededBody.checksum(seed: UInt64(index), size: 2 << 20))
      }
    }
  }

  @Test func `with HTTP 2 many transfers share one connection`() async throws {
    try await withServer(.trusted) { server, transport in
      let probes = (0..<40).map { _ in TransferProbe() }
      for (index, probe) in probes.enumerated() {
        _ = transport.start(TransferRequest(url: server.url("/body?size=200KiB&seed=\(index)")), consumer: probe)
      }
      for (index, probe) in probes.enumerated() {
        #expect(probe.waitForEnd())
        #expect(probe.record.withLock { $0.failure } == nil)
        #expect(probe.checksum() == SeededBody.checksum(seed: UInt64(index), size: 200 << 10))
        #expect(probe.record.withLock { $0.metrics.protocolName } == "h2")
      }
      #expect(server.log.counts.opened == 1)
    }
  }

  @Test func `a paused stream of HTTP 2 keeps back no other, and stays whole`() async throws {
    try await withServer(.trusted) { server, transport in
      let paused = DispatchSemaphore(value: 0)
      let slow = TransferProbe { total in
        guard total <= 16 * 1024 else { return .proceed }
        paused.signal()
        return .pause
      }
      let transfer = transport.start(
        TransferRequest(url: server.url("/body?size=8MiB&seed=1")), consumer: slow)
      #expect(paused.waitPatiently())
      #expect(Self.end(server, transport, "/body?size=4MiB&seed=2").record.withLock { $0.failure } == nil)
      transfer.resume()
      #expect(slow.waitForEnd())
      #expect(slow.checksum() == SeededBody.checksum(seed: 1, size: 8 << 20))
    }
  }

  @Test(arguments: [
    (TLSSettings.Leaf.expired, TransferFailure.Cause.certificateExpired), (.notYetValid, .certificateNotYetValid),
    (.wrongHost, .certificateUntrusted), (.selfSigned, .certificateUntrusted),
    (.unknownAuthority, .certificateUnknownRoot),
  ]) func `a certificate that does not hold is refused for its own reason`(
    leaf: TLSSettings.Leaf, cause: TransferFailure.Cause
  ) async throws {
    try await withServer(leaf) { server, transport in
      let probe = Self.end(server, transport)
      #expect(probe.record.withLock { $0.failure?.cause } == cause)
      #expect(server.log.snapshot().requests.isEmpty)
    }
  }

  @Test func `the system does not know the server's authority`() async throws {
    try await withServer(.trusted, trusts: false) { server, transport in
      #expect(Self.end(server, transport).record.withLock { $0.failure?.cause } == .certificateUnknownRoot)
      #expect(server.log.snapshot().requests.isEmpty)
    }
  }

  /// The handshake fails before the server gets what it asks for: a client's certificate names its owner.
  @Test(arguments: [TLSSettings.Leaf.expired, .wrongHost, .unknownAuthority])
  func `an identity is shown to no server that is not trusted`(leaf: TLSSettings.Leaf) async throws {
    try await onThread {
      let authority = try CertificateAuthority()
      var settings = TLSSettings(leaf: leaf, authority: authority)
      settings.clientCertificate = .wanted
      let server = LessonServer(routes: Route.standard, tls: settings)
      try server.start()
      defer { server.stop() }
      var request = TransferRequest(url: server.url("/ok"))
      let file = try authority.makeClientFile(named: "anna", passphrase: "secret")
      request.identityPolicy = .use(try #require(ClientIdentity(pkcs12: file, passphrase: "secret")))
      let transport = Transport(authorities: Array(authority.pem.utf8))
      defer { transport.shutdown() }
      let probe = TransferProbe()
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(server.log.wait(within: .seconds(60)) { $0.closed > 0 })
      let records = server.log.snapshot().sockets.compactMap(\.tls)
      #expect(!records.isEmpty && records.allSatisfy { $0.clientName == nil && $0.failure != nil })
    }
  }
}
