// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

@Suite struct ProcessExitTests {
  @Test func `a process exits cleanly with transfers in flight`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let server = LessonServer(routes: Route.standard)
      try server.start()
      let transport = Transport()
      let probes = (0..<20).map { _ in TransferProbe(keepsBody: false) }
      for (index, probe) in probes.enumerated() {
        let path = index.isMultiple(of: 2) ? "/never" : "/body?size=1GiB"
        _ = transport.start(TransferRequest(url: server.url(path)), consumer: probe)
      }
      _ = server.log.waitForRequests(6, within: .seconds(TestMachine.patience))
      exit(7)
    }
  }

  @Test func `a transport may go while the process ends`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      // The thread is kept busy, so that the process waits for its end while the transport goes.
      let begun = DispatchSemaphore(value: 0)
      Transport.onThread {
        begun.signal()
        Thread.sleep(forTimeInterval: 0.5)
      }
      begun.wait()
      let kept = Locked<Transport?>(Transport())
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.2)
        kept.withLock { $0 = nil }
      }
      exit(0)
    }
  }
}
