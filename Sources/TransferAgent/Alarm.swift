// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// A call on a queue at a later time, which does not come any more once this is let go.
final class Alarm {
  private let item: DispatchWorkItem

  /// After so many seconds, whatever clock is set meanwhile.
  init(on queue: DispatchQueue, after seconds: Double, _ call: @escaping @Sendable () -> Void) {
    item = DispatchWorkItem(block: call)
    queue.asyncAfter(deadline: .now() + max(seconds, 0), execute: item)
  }

  /// At a time of the clock on the wall.
  init(on queue: DispatchQueue, at date: Date, _ call: @escaping @Sendable () -> Void) {
    item = DispatchWorkItem(block: call)
    queue.asyncAfter(wallDeadline: .now() + min(max(date.timeIntervalSinceNow, 0), 1e9), execute: item)
  }

  deinit { item.cancel() }
}
