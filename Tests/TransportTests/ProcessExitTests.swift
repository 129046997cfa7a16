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

  private static let kept = Locked<Transport?>(nil)

  @Test func `a transport may go when the thread has ended with the process`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      // What is registered first runs last: behind the end of the thread, which begins with the first transport.
      atexit { ProcessExitTests.kept.withLock { $0 = nil } }
      Self.kept.withLock { $0 = Transport() }
      exit(0)
    }
  }
}
