// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Transport
@testable import URLLoading

/// The checks of builds that assert at the doors of loads, transfers and pools.
@Suite(.exitTests) struct LoadConfinementTests {
  @Test func `the I/O thread knows itself, and no other thread takes itself for it`() async {
    #expect(!Transport.isOnThread)
    let isOnThread = await withCheckedContinuation { answer in
      Transport.onThread { answer.resume(returning: Transport.isOnThread) }
    }
    #expect(isOnThread)
  }

  @Test(.enabled(if: Transport.asserts)) func `a pool that is touched on another thread stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let pool = ConnectionPool(connectionsPerHost: 1, authorities: nil, thread: .shared)
      pool.close()
    }
  }

  @Test(.enabled(if: Transport.asserts)) func `a load that is touched on another thread stops the process`() async {
    await #expect(processExitsWith: .failure) {
      guard let url = URL(string: "http://127.0.0.1/") else { return }
      let context = LoadContext(LoadConfiguration())
      Load(URLRequest(url: url), in: context, sink: .collect, client: LoadProbe()).resumeReading()
    }
  }
}
