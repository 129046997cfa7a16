// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation

/// Receives the events of stream tasks. All methods are optional and called on the session's `delegateQueue`.
public protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
  /// The reading side is closed: by `closeRead()`, or because the peer has ended. Earlier bytes can still be read.
  func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask)

  /// The writing side is closed, and what was written before is on its way.
  func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask)

  /// There is a better way to the peer than the one that the task's connection takes.
  ///
  /// Difference from Apple: never called, since no better routes are looked for here.
  func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask)

  /// The task's streams were captured (`URLSessionStreamTask.captureStreams()`), and it has completed with that. Both streams
  /// are unopened, and their holder has the connection: it lives until both are closed or gone, also when the session
  /// is invalidated, and none of the session's time-outs counts any more.
  ///
  /// The streams may be used on any thread, each on one at a time. `read` waits for a byte, `write` for room; both answer -1
  /// on a stream that is not open, was closed or has failed. At most 256 KiB wait to be read, then the peer is held
  /// back; as much may wait to be sent. `schedule(in:forMode:)` brings the events to the stream's delegate, one after the
  /// other: `openCompleted`, `hasBytesAvailable` or `hasSpaceAvailable` at first and then after each read or write as long
  /// as it is so, `endEncountered`, `errorOccurred`. Closing the output stream, or letting go of it, sends what was written
  /// and ends our direction; a closed input stream drops later bytes.
  ///
  /// Differences from Apple: `streamError` is a `URLError`; `property(forKey:)` is always nil, and `setProperty(_:forKey:)`
  /// false.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - streamTask: The task, whose state is `.completed`.
  ///   - inputStream: The bytes from now on, and earlier ones that were not read. At its end at once where the reading
  ///     side was closed.
  ///   - outputStream: What is to be sent. At its end at once where the writing side was closed.
  func urlSession(
    _ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream,
    outputStream: OutputStream)
}

extension URLSessionStreamDelegate {
  /// Does nothing, or calls the session's delegate.
  public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
    DelegateMethod.readClosed.isMissing(in: self)
    let next = streamTask.roles(after: self)?.session as? any URLSessionStreamDelegate
    if let next { streamTask.deliverClosed(.read, to: next) }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) {
    DelegateMethod.writeClosed.isMissing(in: self)
    let next = streamTask.roles(after: self)?.session as? any URLSessionStreamDelegate
    if let next { streamTask.deliverClosed(.write, to: next) }
  }

  /// Does nothing.
  public func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask) {}

  /// Drops the streams, with which the connection ends, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream,
    outputStream: OutputStream
  ) {
    DelegateMethod.didCapture.isMissing(in: self)
    let next = streamTask.roles(after: self)?.session as? any URLSessionStreamDelegate
    if let next { streamTask.deliver((inputStream, outputStream), to: next) }
  }
}
