// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation

/// The calls of a delegate whose load writes the body into a file.
///
/// Apple documents this only for issues of Newsstand; with a plain connection the file was reported missing. Here it
/// works with every connection: a delegate that conforms gets the body as a temporary file, and neither data nor
/// `connectionDidFinishLoading(_:)`. A delegate that is a data delegate as well still gets every call that precedes the
/// body.
public protocol NSURLConnectionDownloadDelegate: NSURLConnectionDelegate {
  /// A part of the body was written.
  ///
  /// The connection reports a fast body in pieces of 512 KiB, a slow one within 100 ms of the bytes' arrival, unless
  /// the disk or the delegate's run loop takes longer: the transport writes the bytes that wait once the socket is
  /// silent, at the latest after 50 ms.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - bytesWritten: Bytes since the last call; together they are the file's size.
  ///   - totalBytesWritten: Bytes so far.
  ///   - expectedTotalBytes: The body's length; 0, not −1, when the server does not announce it.
  func connection(
    _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64, expectedTotalBytes: Int64
  )

  /// Apple's system resumes an interrupted download of Newsstand. Never called here: a connection loads once.
  func connectionDidResumeDownloading(
    _ connection: NSURLConnection, totalBytesWritten: Int64, expectedTotalBytes: Int64)

  /// The whole body is in the file. The last call; required.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - destinationURL: The file, removed when this returns: move or open it before.
  func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL)
}

extension NSURLConnectionDownloadDelegate {
  /// Not implemented: the progress goes unnoticed.
  public func connection(
    _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64, expectedTotalBytes: Int64
  ) {
    DelegateMethod.didWriteData.isMissing(in: self)
  }

  /// Not implemented.
  public func connectionDidResumeDownloading(
    _ connection: NSURLConnection, totalBytesWritten: Int64, expectedTotalBytes: Int64
  ) {}
}
