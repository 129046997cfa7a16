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

  /// The value of the property `name`, unless one was kept.
  func kept<Value: Sendable>(or usual: Value, _ name: String = #function) -> Value {
    values.withLock { $0.kept[name] } as? Value ?? usual
  }

  /// Keeps a value of the property `name`.
  func keep(_ value: some Sendable, _ name: String = #function) {
    values.withLock { $0.kept[name] = value }
  }
}
