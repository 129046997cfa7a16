// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Glibc
import Locking
import Timeline
import URLLoading

/// A download delegate gets progress, the file and completion.
final class DownloadClient: TaskClient, @unchecked Sendable {
  // Sendable: as its superclass.
  private let downloadTask: URLSessionDownloadTask

  init(_ task: URLSessionDownloadTask) {
    downloadTask = task
    super.init(task)
  }

  // MARK: On the I/O thread

  override func load(_ load: Load, didWrite total: Int64, expected: Int64) {
    guard task.isWanted(.didWriteData, by: { $0.download }) else { return }
    reportWritten(total, expected: expected)
  }

  /// Reports written bytes to the delegate, once for all that were written since the last report.
  func reportWritten(_ total: Int64, expected: Int64) {
    let posts = task.shared.withLock { $0.written.reported(total, expected: expected) }
    if posts { task.mailbox.post { [self] in deliverWritten() } }
  }

  override func load(_ load: Load, didResumeAt offset: Int64, expected: Int64) {
    super.load(load, didResumeAt: offset, expected: expected)
    guard task.delegates.download != nil else { return }
    task.mailbox.post { [downloadTask] in
      guard let delegate = downloadTask.receiver(\.download) else { return }
      downloadTask.deliver(resumedAt: offset, of: expected, to: delegate)
    }
  }

  // MARK: On the delegate queue

  private func deliverWritten() {
    let report = task.shared.withLock { state in
      state.life.isWanted ? (state.written.take(), state.delegates.download) : nil
    }
    if case (let piece?, let delegate?)? = report { downloadTask.deliver(written: piece, to: delegate) }
  }

  /// Gives a finished download to its delegate. The file is gone when that returns, unless it was moved.
  override func deliverRest(_ end: LoadEnd, of load: Load) {
    guard let file = end.file else { return }
    defer { FileHandlerClient.remove(file) }
    // The load reports whole blocks; what it wrote last, as it closed the file, is reported here.
    let expected = task.countOfBytesExpectedToReceive
    let received = task.bytesReceived(by: load)
    if task.shared.withLock({ $0.written.reported(received, expected: expected) }) { deliverWritten() }
    guard let delegate = task.receiver(\.download) else { return }
    downloadTask.deliver(file: file, to: delegate)
  }
}

/// A handler gets a file.
final class FileHandlerClient: TaskClient, @unchecked Sendable {
  // Sendable: as its superclass.
  private let handler: Receiver.FileHandler
  private let keepsFile: Bool

  /// - Parameter keepsFile: Whether the file stays when the handler has returned.
  init(_ task: URLSessionTask, _ handler: @escaping Receiver.FileHandler, keepsFile: Bool) {
    (self.handler, self.keepsFile) = (handler, keepsFile)
    super.init(task)
  }

  override func deliverCompletion(_ end: LoadEnd, _ response: URLResponse?, _ error: (any Error)?) {
    let location = error == nil ? end.file : nil
    if let location { task.announce(.callback(name: "completionHandler", detail: ""), .file(path: location.path)) }
    task.announce(.callback(name: "completionHandler", detail: "end"), .end(error))
    let handed = keepsFile ? nil : location.flatMap { HandedFile($0, subject: task.subject) }
    handler(location, response, error)
    handed?.returned()
    if let file = end.file, !keepsFile || location == nil { Self.remove(file) }
  }

  fileprivate static func remove(_ file: URL) {
    unsafe file.withUnsafeFileSystemRepresentation { path in
      if let path = unsafe path { _ = unsafe unlink(path) }
    }
  }
}
