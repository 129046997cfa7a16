// SPDX-License-Identifier: Apache-2.0
public import Foundation
import SessionAPI

/// Small first loads with a session, one of each kind the lessons use.
public enum SessionWarmUp {
  /// Loads from `url` with a handler, a data delegate and a download delegate, and returns when all have ended.
  ///
  /// As a program does at its launch, it says before the first load what may be stored: nothing on disk, so that no example
  /// finds what another one left.
  public static func run(_ url: URL) {
    URLCache.shared = URLCache(
      memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: FileManager.default.temporaryDirectory.path)
    let hasEnded = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: url) { _, _, _ in hasEnded.signal() }.resume()
    hasEnded.wait()
    let listener = Listener()
    let session = URLSession(configuration: .default, delegate: listener, delegateQueue: nil)
    for task in [session.dataTask(with: url), session.downloadTask(with: url)] {
      task.resume()
      listener.hasEnded.wait()
    }
    session.finishTasksAndInvalidate()
  }

  private final class Listener: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    let hasEnded = DispatchSemaphore(value: 0)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      hasEnded.signal()
    }
  }
}
