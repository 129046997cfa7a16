// SPDX-License-Identifier: Apache-2.0
import Locking
import URLLoading

extension URLSessionConfiguration {
  /// How a connection to several networks at once is used.
  public enum MultipathServiceType: Int, Sendable {
    /// It is not.
    case none = 0
    /// When one network is lost.
    case handover = 1
    /// When one network is slow.
    case interactive = 2
    /// To be faster.
    case aggregate = 3
  }

  /// A value that no load uses.
  subscript<Value: Sendable>(_ path: WritableKeyPath<ReadBackSettings, Value>) -> Value {
    get { values.withLock { $0.readBack[keyPath: path] } }
    set { values.withLock { $0.readBack[keyPath: path] = newValue } }
  }
}
