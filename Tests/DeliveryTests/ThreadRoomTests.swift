// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Locking
import TestSupport
import Testing

@testable import Delivery

@Suite struct ThreadRoomTests {
  /// Jobs that were brought onto threads, which run when a test says so.
  private final class Threads: Sendable {
    let jobs = Locked<[@Sendable () -> Void]>([])
    var count: Int { jobs.withLock { $0.count } }

    func start(_ count: Int, in room: ThreadRoom) {
      for _ in 0..<count { room.run({}, by: { job in self.jobs.withLock { $0.append(job) } }) }
    }
  }

  @Test func `without room for more threads callbacks start one after the other, and all do (LC-10)`() {
    let (room, threads) = (ThreadRoom(patience: .never) { _ in false }, Threads())
    threads.start(40, in: room)
    for number in 1...40 {
      #expect(threads.count == number)
      threads.jobs.withLock { $0.last }?()
    }
    #expect(threads.count == 40)
  }

  @Test func `where there is room, none waits for another (LC-10)`() {
    let threads = Threads()
    threads.start(10, in: ThreadRoom(patience: .never) { _ in true })
    #expect(threads.count == 10)
  }

  @Test func `where none ends, the next starts, for one may wait for another (LC-10)`() async throws {
    let semaphore = DispatchSemaphore(value: 0)
    let room = ThreadRoom(patience: .milliseconds(1)) { $0 < 150 << 20 }
    let ended = Locked(false)
    room.run {
      semaphore.wait()
      ended.withLock { $0 = true }
    } by: {
      DispatchQueue.global().async(execute: $0)
    }
    room.run {
      semaphore.signal()
    } by: {
      DispatchQueue.global().async(execute: $0)
    }
    try await eventually { ended.withLock { $0 } }
  }
}
