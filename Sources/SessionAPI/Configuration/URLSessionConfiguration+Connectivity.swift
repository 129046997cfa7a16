// SPDX-License-Identifier: Apache-2.0
import Locking

extension URLSessionConfiguration {
  /// Whether a task that finds no network which leads to its server waits until the machine's network changes, and then
  /// tries again, in place of ending with -1009; false unless set. The idle time-out does not run meanwhile, that of the
  /// resource does.
  ///
  /// Difference from Apple: a name that cannot be resolved ends the task with -1003 at once, because the system does not
  /// tell whether the name or the network is missing.
  public var waitsForConnectivity: Bool {
    get { values.withLock { $0.waitsForConnectivity } }
    set { values.withLock { $0.waitsForConnectivity = newValue } }
  }
}
