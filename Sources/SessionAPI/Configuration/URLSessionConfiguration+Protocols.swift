// SPDX-License-Identifier: Apache-2.0
import Locking
import URLLoading

extension URLSessionConfiguration {
  /// The program's own subclasses of `URLProtocol`, each of which is asked, in this order, whether it wants a request: the
  /// first one, and those that redirects lead to. nil unless set; other classes in it are left out.
  ///
  /// Differences from Apple: the subclasses are called on a queue of their own, one call at a time for all sessions, where
  /// no run loop runs. Their `task` is nil. What they bring is not cached, and cannot be held back while a delegate is
  /// busy. Their challenges are answered as if nobody had a credential. Errors other than `URLError` become
  /// `URLError.unknown` with the error beneath. Classes given to `URLProtocol.registerClass(_:)` are asked by
  /// `URLSession.shared` alone, as on Apple.
  public var protocolClasses: [AnyClass]? {
    get {
      let classes = values.withLock { $0.protocolClasses }
      return classes.isEmpty ? nil : classes
    }
    set {
      let classes = (newValue ?? []).compactMap { $0 as? URLProtocol.Type }
      values.withLock { $0.protocolClasses = classes }
    }
  }
}
