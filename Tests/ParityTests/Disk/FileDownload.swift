// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI

/// A load into a file by either API, which tells when a part of it was written, and when it is shown.
final class FileDownload: NSObject, NSURLConnectionDownloadDelegate, URLSessionDownloadDelegate {
  /// Its body is the file's.
  let observation = Observation()
  private let whenWritten: Locked<(@Sendable () -> Void)?>
  private let whenShown: @Sendable (URL) -> Void
  private let queue = OperationQueue()
  private let hasEnded = Locked(false)

  init(
    whenWritten: @escaping @Sendable () -> Void = {}, whenShown: @escaping @Sendable (URL) -> Void = { _ in }
  ) {
    self.whenWritten = Locked(whenWritten)
    self.whenShown = whenShown
    queue.maxConcurrentOperationCount = 1
  }

  /// True if nothing more will be told.
  var isOver: Bool { hasEnded.withLock { $0 } }

  func start(_ face: Face, _ url: URL) {
    guard face == .connection else {
      let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: queue)
      session.downloadTask(with: url).resume()
      return session.finishTasksAndInvalidate()
    }
    NSURLConnection.begin(URLRequest(url: url), self, on: queue)
  }

  private func noteWriting() {
    whenWritten.withLock { $0.take() }?()
  }

  private func show(_ file: URL) {
    observation.data((try? Data(contentsOf: file)) ?? Data())
    whenShown(file)
  }

  // MARK: NSURLConnection

  func connection(
    _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64, expectedTotalBytes: Int64
  ) {
    noteWriting()
  }

  func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
    show(destinationURL)
    end(nil)
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { end(error) }

  private func end(_ error: (any Error)?) {
    observation.end(error)
    hasEnded.withLock { $0 = true }
  }

  // MARK: URLSession

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    noteWriting()
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    show(location)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    observation.end(error)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    hasEnded.withLock { $0 = true }
  }
}
