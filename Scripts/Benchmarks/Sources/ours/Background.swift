// SPDX-License-Identifier: Apache-2.0
#if OWN
  import Foundation
  import Glibc
  import SessionAPI

  /// A download by a background session: the agent does the work, the program gets the file.
  ///
  /// A small download before it starts the agent, whose figures are added to the program's own.
  func background(_ url: URL, warmUp: URL, to place: URL) throws {
    let delegate = BackgroundDelegate(to: place)
    let configuration = URLSessionConfiguration.background(withIdentifier: "benchmark")
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.downloadTask(with: warmUp).resume()
    _ = try delegate.wait()
    unlink(place.path)
    let measure = Measure(with: try agent())
    session.downloadTask(with: url).resume()
    measure.report(try delegate.wait())
    session.finishTasksAndInvalidate()
    // A completion that is not acknowledged would be delivered to the next run.
    delegate.waitForInvalidation()
  }

  /// The agent's process, by the first line of its lock.
  private func agent() throws -> pid_t {
    let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"] ?? ""
    let lock = try String(contentsOfFile: state + "/url-transfer-agent/lock", encoding: .utf8)
    guard let process = lock.split(separator: "\n").first.flatMap({ pid_t($0) }) else { throw Usage() }
    return process
  }

  /// Moves each finished file to its place.
  ///
  /// Unchecked because its state is only touched on the session's serial queue, and by the waiting thread between two tasks.
  final class BackgroundDelegate: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    private let place: URL
    private let ended = DispatchSemaphore(value: 0)
    private var bytes: Int64 = 0
    private var error: (any Error)?
    private let invalidated = DispatchSemaphore(value: 0)

    init(to place: URL) { self.place = place }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
      bytes = downloadTask.countOfBytesReceived
      if rename(location.path, place.path) != 0 { error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      self.error = error ?? self.error
      ended.signal()
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { invalidated.signal() }

    func waitForInvalidation() { invalidated.wait() }

    func wait() throws -> Outcome {
      ended.wait()
      if let error { throw error }
      return Outcome(transfers: 1, bytes: bytes)
    }
  }
#endif
