// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import Testing
import Transport

@Suite struct TransferTests {
  @Test func `a GET brings head and body and one end`() async throws {
    try await onThread {
      let server = LessonServer(routes: Route.standard)
      try server.start()
      defer { server.stop() }
      let probe = TransferProbe()
      let transport = Transport()
      _ = transport.start(TransferRequest(url: server.url("/body?size=1MiB&seed=3")), consumer: probe)
      #expect(probe.waitForEnd())
      let record = probe.record.withLock { $0 }
      #expect(record.failure == nil)
      #expect(record.head?.status == 200)
      #expect(record.head?.contentLength == 1_048_576)
      var checksum = BodyChecksum()
      record.body.withUnsafeBytes { checksum.update($0) }
      #expect(checksum.value == SeededBody.checksum(seed: 3, size: 1_048_576))
      #expect(record.ends == 1)
      #expect(record.afterEnd == 0)
    }
  }
}
