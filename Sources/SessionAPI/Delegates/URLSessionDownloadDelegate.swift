// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation

/// Receives the progress and the file of download tasks.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  /// The whole body is in a file. Required.
  ///
  /// The file is removed when this returns: move or open it before. An HTTP status such as 404 has a file, too. Comes
  /// before `urlSession(_:task:didCompleteWithError:)`, and not at all when the download fails.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

  /// Part of the body was written to the file. Optional.
  ///
  /// The task reports a fast body in pieces of 512 KiB, a slow one within 100 ms of the bytes' arrival, unless the disk or
  /// the delegate queue takes longer: the transport writes the bytes that wait once the socket is silent, at the latest
  /// after 50 ms.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - downloadTask: The task.
  ///   - bytesWritten: Bytes since the last call; they add up to the file's size exactly.
  ///   - totalBytesWritten: Bytes so far.
  ///   - totalBytesExpectedToWrite: The body's length in bytes, -1 when the server does not send it.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

  /// A resumed download continues; called before the first `didWriteData`, whose totals count the earlier bytes as well.
  /// Optional.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - downloadTask: The task.
  ///   - fileOffset: Bytes that need not come again; 0 when the download starts from the beginning, because the server
  ///     has another version by now or does not send parts of it.
  ///   - expectedTotalBytes: The whole body's length in bytes, -1 when the server does not send it.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)
}

extension URLSessionDownloadDelegate {
  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    DelegateMethod.didWriteData.isLeftOut(by: self)
    guard let next = downloadTask.roles(after: self)?.download else { return }
    let piece = Tally.Piece(bytes: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite)
    downloadTask.deliver(written: piece, to: next)
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    DelegateMethod.didResume.isMissing(in: self)
    guard let next = downloadTask.roles(after: self)?.download else { return }
    downloadTask.deliver(resumedAt: fileOffset, of: expectedTotalBytes, to: next)
  }
}
