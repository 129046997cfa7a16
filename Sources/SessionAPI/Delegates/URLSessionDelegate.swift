// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Hears of what concerns a session as a whole. All methods are optional and called on the session's `delegateQueue`.
///
/// Difference from Apple: a method that a subclass adds to a class which conforms without it is never called, because
/// Swift binds the default when the conformance is declared. Write every method into the class that conforms.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  /// The last call of a session: it was invalidated and its last task has ended. The session lets go of its delegate
  /// when this returns.
  ///
  /// - Parameters:
  ///   - session: The session that has ended.
  ///   - error: nil, because only the user invalidates a session here.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

extension URLSessionDelegate {
  /// Does nothing.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    DelegateMethod.didBecomeInvalid.isMissing(in: self)
  }
}
