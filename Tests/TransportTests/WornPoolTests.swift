// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import Testing
import Transport

/// What libcurl keeps of each host goes with its handle.
@Suite struct WornPoolTests {
  @Test
  func `a pool at rest that has connected to thousands of hosts begins anew, and keeps connections between (LC-11)`()
    async throws
  {
    try await withServer { server, transport in
      var fresh = 0
      for number in 0..<2_200 {
        // Asked for again before the connections to others displace its own.
        let isHome = number % 32 == 0
        let probe = TransferProbe()
        let url = server.url("/ok", host: isHome ? "127.0.0.1" : "host\(number).localhost")
        _ = transport.start(TransferRequest(url: url), consumer: probe)
        #expect(probe.waitForEnd())
        let record = probe.record.withLock { $0 }
        #expect(record.failure == nil, "\(url)")
        if isHome, !record.metrics.isReusedConnection { fresh += 1 }
      }
      #expect((2...4).contains(fresh))
    }
  }
}
