// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The downloader of note N3 with its three buttons: start, pause, resume.
///
/// Sendable: it is used on the main thread alone, its delegate methods too.
final class Downloader: NSObject, URLSessionDownloadDelegate,
  @unchecked Sendable
{
  private(set) var resumeData: Data?
  private let app: ExampleContext
  private let forgetsTask: Bool
  private var task: URLSessionDownloadTask?
  private lazy var session = URLSession(
    configuration: .default, delegate: self, delegateQueue: .main)

  /// The note's guard against pausing twice is to forget the task.
  init(
    _ app: ExampleContext, forgetsTask: Bool = true, from data: Data? = nil
  ) {
    (self.app, self.forgetsTask, resumeData) = (app, forgetsTask, data)
  }

  func start() {
    task = session.downloadTask(with: app.url)
    task?.resume()
  }

  func pause() {
    guard let task else { return print("there is nothing to pause") }
    task.cancel { [self] data in
      DispatchQueue.main.async { [self] in
        print("resume data: \(data == nil ? "none" : "some")")
        resumeData = data
        if forgetsTask { self.task = nil }
      }
    }
  }

  func resume() {
    guard let data = resumeData else {
      print("there is nothing to resume")
      if task?.state != .running { app.quit() }
      return
    }
    resumeData = nil
    task = session.downloadTask(withResumeData: data)
    task?.resume()
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
  ) {
    print("resumed at \(fileOffset) of \(expectedTotalBytes)")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    try? FileManager.default.moveItem(at: location, to: file)
    print("finished")
    app.quit()
  }
}
