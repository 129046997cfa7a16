// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Glibc
import Locking
import Timeline
import URLLoading

/// A load whose delegate takes the body as a file (`NSURLConnectionDownloadDelegate`), where callbacks run.
extension ConnectionLoad {
  /// Where the body of a load for `delegate` goes.
  static func sink(for delegate: ConnectionDelegate?) -> BodySink {
    delegate?.download == nil ? .stream : .file(directory: PrivateFolder.url)
  }

  /// Reports the bytes written since the last call to the delegate.
  func deliverWritten() {
    guard let (connection, delegate) = active, let download = delegate.download else { return }
    guard let piece = state.withLock({ $0.written.take() }) else { return }
    report(piece, to: download, connection)
  }

  /// Delivers the complete file, after a last report of progress where not all bytes were reported yet.
  func deliver(_ file: DownloadedFile, to download: any NSURLConnectionDownloadDelegate, _ connection: NSURLConnection)
  {
    let rest = state.withLock { state in
      _ = state.written.reported(file.size, expected: state.expected)
      return state.written.take()
    }
    if let rest { report(rest, to: download, connection) }
    Timeline.emit(
      .callback(name: "connectionDidFinishDownloading(_:destinationURL:)", detail: ""), subject: subject,
      payload: .file(path: file.url.path))
    Timeline.emit(
      .callback(name: "connectionDidFinishDownloading(_:destinationURL:)", detail: "end"), subject: subject,
      payload: .success)
    let handed = HandedFile(file.url, subject: subject)
    download.connectionDidFinishDownloading(connection, destinationURL: file.url)
    handed?.returned()
    // The I/O thread, which posted this call, may hold the file for a moment longer.
    file.remove()
  }

  private func report(
    _ piece: Tally.Piece, to download: any NSURLConnectionDownloadDelegate, _ connection: NSURLConnection
  ) {
    let expected = max(0, piece.expected)
    DelegateMethod.didWriteData.run(on: download) {
      Timeline.emit(
        DelegateMethod.didWriteData.event, subject: subject,
        payload: .progress(piece: piece.bytes, total: piece.total, expected: piece.expected))
    } call: {
      download.connection(
        connection, didWriteData: piece.bytes, totalBytesWritten: piece.total, expectedTotalBytes: expected)
    }
  }
}

/// A file that is removed after its delivery, or with its last reference where a mailbox was closed before.
final class DownloadedFile: Sendable {
  let url: URL
  private let isThere = Locked(true)

  init(_ url: URL) { self.url = url }

  deinit { remove() }

  /// Removes the file, once.
  func remove() {
    let isThere = isThere.withLock { isThere in
      defer { isThere = false }
      return isThere
    }
    if isThere { unsafe unlink(url.path) }
  }

  /// Bytes in it.
  var size: Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }
}
