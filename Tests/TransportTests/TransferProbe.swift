// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Transport

/// A consumer that keeps what it was given and can be waited for.
final class TransferProbe: TransferConsumer {
  struct Record {
    var interim: [ResponseHead] = []
    var head: ResponseHead?
    var body: [UInt8] = []
    var received = 0
    var sent: Int64 = 0
    var ends = 0
    var failure: TransferFailure?
    var metrics = TransferMetrics()
    var afterEnd = 0
  }

  let record = Locked(Record())
  private let flow: @Sendable (Int) -> TransferFlow
  private let headFlow: @Sendable () -> TransferFlow
  private let keepsBody: Bool
  private let ended = DispatchSemaphore(value: 0)

  init(
    keepsBody: Bool = true, flow: @escaping @Sendable (Int) -> TransferFlow = { _ in .proceed },
    headFlow: @escaping @Sendable () -> TransferFlow = { .proceed }
  ) {
    self.keepsBody = keepsBody
    self.headFlow = headFlow
    self.flow = flow
  }

  func transfer(_ transfer: Transfer, didReceiveInterim head: ResponseHead) {
    record.withLock { $0.interim.append(head) }
  }

  func transfer(_ transfer: Transfer, didReceive head: ResponseHead) -> TransferFlow {
    record.withLock { record in
      record.head = head
      record.afterEnd += record.ends
    }
    return headFlow()
  }

  func transfer(_ transfer: Transfer, didReceive bytes: UnsafeRawBufferPointer) -> TransferFlow {
    let total = record.withLock { record in
      if keepsBody { record.body.append(contentsOf: bytes) }
      record.received += bytes.count
      record.afterEnd += record.ends
      return record.received
    }
    return flow(total)
  }

  func transfer(_ transfer: Transfer, didSend total: Int64) {
    record.withLock { $0.sent = total }
  }

  func transfer(_ transfer: Transfer, didEnd failure: TransferFailure?, metrics: TransferMetrics) {
    record.withLock { record in
      record.ends += 1
      record.failure = failure
      record.metrics = metrics
    }
    ended.signal()
  }

  /// Waits for the end, patiently; false when it did not come.
  func waitForEnd() -> Bool { ended.waitPatiently() }
}
