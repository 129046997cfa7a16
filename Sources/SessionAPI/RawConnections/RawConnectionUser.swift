// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

/// The user of a connection that a task has to itself: a WebSocket's or a stream's driver.
///
/// Every call but `shown` and `cancelled` is made on the I/O thread and returns at once. Users' handlers are called from
/// the task's mailbox alone.
protocol RawConnectionUser: AnyObject, Sendable {
  /// The connection is open.
  func opened(_ response: HTTPURLResponse?, _ protocolName: String?, _ task: URLSessionTask)
  /// All that follows goes over TLS.
  func secured(_ task: URLSessionTask)
  /// Bytes arrived, lent for the call. False: no more for now.
  func received(_ bytes: UnsafeRawBufferPointer, _ task: URLSessionTask) -> Bool
  /// So many bytes have been given to the kernel.
  func sent(_ total: Int64, _ task: URLSessionTask)
  /// The peer sends nothing more.
  func inputEnded(_ task: URLSessionTask)
  /// The load has ended; `complete` delivers the task's completion, after what is posted before. Called once.
  func ended(_ error: URLError?, _ task: URLSessionTask, then complete: @escaping @Sendable () -> Void)
  /// Bytes of a response's body wait, where it was to be a stream.
  func bodyCame(_ task: URLSessionTask)
  /// The user cancelled the task: ends the load, if that has not ended. Any thread.
  func cancelled(_ task: URLSessionTask, _ load: Load)
  /// Finds the cause of an end of the connection with this error: nil where the user asked for it, or what led to it. On the
  /// I/O thread.
  func cause(of error: URLError, _ task: URLSessionTask) -> URLError?
  /// The error as the user shall see it.
  func shown(_ error: URLError) -> URLError
  /// The request as a delegate shall see it.
  func shown(_ request: URLRequest) -> URLRequest
}

extension RawConnectionUser {
  func bodyCame(_ task: URLSessionTask) {}
  func secured(_ task: URLSessionTask) {}
  func cause(of error: URLError, _ task: URLSessionTask) -> URLError? { error }
  func shown(_ request: URLRequest) -> URLRequest { request }
}
