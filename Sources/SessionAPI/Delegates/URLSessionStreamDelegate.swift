// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hears of the sides of stream tasks. All methods are optional and called on the session's `delegateQueue`.
///
/// Difference from Apple: the methods about captured streams and about better routes are absent, since neither exists here.
public protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
  /// The reading side is closed: by `closeRead()`, or because the peer has ended. What came before can still be read.
  func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask)

  /// The writing side is closed, and what was written before is on its way.
  func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask)
}

extension URLSessionStreamDelegate {
  /// Does nothing, or tells the session's delegate.
  public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
    DelegateMethod.readClosed.isMissing(in: self)
    let next = streamTask.roles(after: self)?.session as? any URLSessionStreamDelegate
    if let next { streamTask.deliverClosed(.read, to: next) }
  }

  /// Does nothing, or tells the session's delegate.
  public func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) {
    DelegateMethod.writeClosed.isMissing(in: self)
    let next = streamTask.roles(after: self)?.session as? any URLSessionStreamDelegate
    if let next { streamTask.deliverClosed(.write, to: next) }
  }
}
