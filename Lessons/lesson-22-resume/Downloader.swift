// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The cure: the three buttons, with all that happens on the main thread. Its
/// delegate methods are in Downloader+Delegate.swift.
///
/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, Buttons, @unchecked Sendable {
  let app: ExampleContext
  var resumeData: Data?
  var problem: String?
  private(set) var task: URLSessionDownloadTask?
  private var isPausing = false
  private var isWanted = false
  private lazy var session = URLSession(
    configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExampleContext, from data: Data? = nil) {
    (self.app, resumeData) = (app, data)
  }

  // begin start
  func start() {
    guard task == nil else { return print("the download is running") }  // ←
    begin(session.downloadTask(with: app.url))
  }
  // end start

  private func begin(_ task: URLSessionDownloadTask) {
    self.task = task
    task.resume()
  }

  // begin pause
  func pause() {
    guard let task else { return print("there is nothing to pause") }
    self.task = nil  // ←
    isPausing = true
    task.cancel { data in
      DispatchQueue.main.async { [self] in paused(data) }
    }
  }

  private func paused(_ data: Data?) {
    print("resume data: \(data == nil ? "none" : "some")")
    isPausing = false
    resumeData = data
    if isWanted { resume() }
  }
  // end pause

  // begin resume
  func resume() {
    guard task == nil else { return print("the download is running") }
    isWanted = isPausing
    guard !isPausing else { return }  // ←
    guard let data = resumeData else { return start() }
    resumeData = nil
    begin(session.downloadTask(withResumeData: data))
  }
  // end resume
}
