// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import TestSupport
import Testing

@testable import Transport

/// What libcurl holds for paused transfers goes with them (`CurlFacts.leaksHeldBytes`). In a process of its own, whose memory is
/// counted.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct HeldBytesTests {
  /// Begins 40 transfers of more than one piece that pause with their first, waits until each has that, and cancels them.
  fileprivate static func pauseAndCancel(_ server: LessonServer, _ transport: Transport) async throws {
    let probes = (0..<40).map { _ in TransferProbe(keepsBody: false) { _ in .pause } }
    let transfers = probes.map { transport.start(TransferRequest(url: server.url("/body?size=64KiB")), consumer: $0) }
    for probe in probes { try await eventually { probe.record.withLock { $0.received } > 0 } }
    for transfer in transfers { transfer.cancel() }
    for probe in probes { try await eventually { probe.record.withLock { $0.ends } == 1 } }
  }

  @Test func `400 paused transfers of one connection keep less than 4 MiB once they are cancelled (LC-13)`() async {
    await #expect(processExitsWith: .success) {
      // The server takes 1,000 resets of one connection (RFC 9113 section 10.5).
      let authority = try CertificateAuthority()
      let server = LessonServer(
        routes: Route.standard,
        tls: TLSSettings(authority: authority, protocols: ["h2"]))
      try server.start()
      let transport = Transport(authorities: Array(authority.pem.utf8))
      let neighbour = TransferProbe()
      let other = transport.start(TransferRequest(url: server.url("/never")), consumer: neighbour)
      for _ in 0..<5 { try await HeldBytesTests.pauseAndCancel(server, transport) }
      ProcessUsage.returnFreeMemory()
      let before = ProcessUsage.resident
      for _ in 0..<10 { try await HeldBytesTests.pauseAndCancel(server, transport) }
      ProcessUsage.returnFreeMemory()
      #expect(ProcessUsage.resident - before < 4 << 20, "\(ProcessUsage.resident - before) bytes")
      #expect(neighbour.record.withLock { $0.ends } == 0)
      other.cancel()
      server.stop()
    }
  }
}
