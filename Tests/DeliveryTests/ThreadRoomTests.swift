// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing

@testable import Delivery

@Suite struct ThreadRoomTests {
  @Test func `LC-10: without room for more threads callbacks run one after the other, and all run`() async throws {
    let room = ThreadRoom { _ in false }
    let counts = Locked((now: 0, most: 0, ended: 0))
    for _ in 0..<40 {
      room.run {
        counts.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
        sched_yield()
        counts.withLock { ($0.now, $0.ended) = ($0.now - 1, $0.ended + 1) }
      } by: { job in
        Thread.detachNewThread { job() }
      }
    }
    try await eventually { counts.withLock { $0.ended } == 40 }
    #expect(counts.withLock { $0.most } == 1)
  }

  @Test func `LC-10: where there is room, none waits for another`() async throws {
    let (room, begun) = (ThreadRoom { _ in true }, DispatchSemaphore(value: 0))
    let (together, ended) = (Locked(0), Locked(0))
    for _ in 0..<10 {
      room.run {
        let isLast = together.withLock { together in
          together += 1
          return together == 10
        }
        if isLast { for _ in 0..<10 { begun.signal() } }
        begun.wait()
        ended.withLock { $0 += 1 }
      } by: { job in
        Thread.detachNewThread { job() }
      }
    }
    try await eventually { ended.withLock { $0 } == 10 }
  }
}
