// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking
import TestSupport
import Testing

@testable import SessionAPI

@Suite struct DelegateQueueTests {
  private struct Seen {
    var order: [Int] = []
    var threads: Set<pthread_t> = []
    var strangers = 0
  }

  @Test func `what waits runs in order, on the queue, and on one thread`() async throws {
    let queue = DelegateQueue()
    let (open, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let seen = Locked(Seen())
    queue.addOperation { open.wait() }
    for number in 0..<200 {
      queue.addOperation {
        let isStranger = OperationQueue.current !== queue
        seen.withLock { seen in
          seen.order.append(number)
          seen.threads.insert(pthread_self())
          seen.strangers += isStranger ? 1 : 0
        }
        if number == 199 { ended.signal() }
      }
    }
    open.signal()
    #expect(try await onThread { ended.waitPatiently() })
    let result = seen.withLock { $0 }
    #expect(result.order == Array(0..<200))
    #expect(result.threads.count == 1)
    #expect(result.strangers == 0)
  }

  @Test func `a session without a queue has one that runs one operation at a time`() {
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    #expect(session.delegateQueue.maxConcurrentOperationCount == 1)
    #expect(session.delegateQueue.name == "URLSession delegate queue")
  }
}
