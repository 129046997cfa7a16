// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
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
}
