// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI

/// A load by either API whose delegate acts on each report of progress.
final class WatchedLoad: Sendable {
  /// Its end, and the body of its file.
  let observation = Observation()
  private let reported = Locked<[Int64]>([])
  private let whenReported: @Sendable (Int64, WatchedLoad) -> Void
  private let queue = OperationQueue()
  private let course = Locked<(connection: NSURLConnection?, task: URLSessionTask?)>((nil, nil))

  init(whenReported: @escaping @Sendable (Int64, WatchedLoad) -> Void = { _, _ in }) {
    self.whenReported = whenReported
    queue.maxConcurrentOperationCount = 1
  }

  /// The totals in the order in which they were reported.
  var totals: [Int64] { reported.withLock { $0 } }

  /// The task, where it is one.
  var task: URLSessionTask? { course.withLock { $0.task } }

  /// Loads `request` into a file.
  func download(_ face: Face, _ request: URLRequest) {
    guard face == .connection else { return start { $0.downloadTask(with: request) } }
    start(request, DownloadWatch(self))
  }

  /// Sends `request`, and reports what is sent of its body.
  func upload(_ face: Face, _ request: URLRequest) {
    guard face == .connection else { return start { $0.dataTask(with: request) } }
    start(request, UploadWatch(self))
  }

  func cancel() {
    let (connection, task) = course.withLock { $0 }
    connection?.cancel()
    task?.cancel()
  }

  fileprivate func report(_ total: Int64) {
    reported.withLock { $0.append(total) }
    whenReported(total, self)
  }

  private func start(_ request: URLRequest, _ delegate: any NSURLConnectionDelegate) {
    let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
    course.withLock { $0.connection = connection }
    connection?.setDelegateQueue(queue)
    connection?.start()
  }

  private func start(_ make: (URLSession) -> URLSessionTask) {
    let session = URLSession(configuration: .ephemeral, delegate: TaskWatch(self), delegateQueue: queue)
    let task = make(session)
    course.withLock { $0.task = task }
    task.resume()
    session.finishTasksAndInvalidate()
  }
}

private final class DownloadWatch: NSObject, NSURLConnectionDownloadDelegate {
  let load: WatchedLoad

  init(_ load: WatchedLoad) { self.load = load }

  func connection(
    _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64, expectedTotalBytes: Int64
  ) {
    load.report(totalBytesWritten)
  }

  func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
    load.observation.data((try? Data(contentsOf: destinationURL)) ?? Data())
    load.observation.end(nil)
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { load.observation.end(error) }
}

private final class UploadWatch: NSObject, ConnectionObserver {
  let load: WatchedLoad
  var observation: Observation { load.observation }

  init(_ load: WatchedLoad) { self.load = load }

  func connection(
    _ connection: NSURLConnection, didSendBodyData bytesWritten: Int, totalBytesWritten: Int,
    totalBytesExpectedToWrite: Int
  ) {
    load.report(Int64(totalBytesWritten))
  }
}

private final class TaskWatch: NSObject, SessionObserver {
  let load: WatchedLoad

  init(_ load: WatchedLoad) { self.load = load }

  func observation(of task: URLSessionTask) -> Observation? { load.observation }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    load.report(totalBytesWritten)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    load.report(totalBytesSent)
  }
}
