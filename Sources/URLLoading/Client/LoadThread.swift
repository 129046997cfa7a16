// SPDX-License-Identifier: Apache-2.0
import Transport

/// The thread on which the loads of a process call their clients.
package enum LoadThread {
  /// Runs `job` there as soon as no socket has an event, at the latest a third of a millisecond later, so that what a burst of
  /// responses brings is delivered together. Called on another thread, it runs at once, there.
  package static func whenIdle(_ job: @escaping @Sendable () -> Void) { Transport.whenIdle(job) }
}
