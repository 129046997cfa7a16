// SPDX-License-Identifier: Apache-2.0
import Testing
import Transport

/// What debug builds check at the doors of a load.
@Suite struct LoadConfinementTests {
  @Test func `the I/O thread knows itself, and no other thread takes itself for it`() async {
    #expect(!Transport.isOnThread)
    let isOnThread = await withCheckedContinuation { answer in
      Transport.onThread { answer.resume(returning: Transport.isOnThread) }
    }
    #expect(isOnThread)
  }
}
