// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The three buttons as note N3 writes them. Only the move of the finished
/// file is added; without it the file would be deleted (lesson 08).
///
/// Sendable as little as in the note: the pause's handler runs on a thread of
/// the library and shares its variables with the buttons.
class NoteDownloader: NSObject, URLSessionDownloadDelegate, Buttons,
  @unchecked Sendable
{
  let app: ExampleContext
  var downloadTask: URLSessionDownloadTask?
  var resumeData: Data?
  lazy var session = URLSession(
    configuration: .default, delegate: self, delegateQueue: OperationQueue())

  init(_ app: ExampleContext) { self.app = app }

  // begin start
  func start() {
    resumeData = nil
    downloadTask = session.downloadTask(with: app.url)
    downloadTask?.resume()
  }
  // end start

  // begin pause
  func pause() {
    downloadTask?.cancel { [self] data in
      print("resume data: \(data == nil ? "none" : "some")")
      resumeData = data
      downloadTask = nil  // ←
    }
  }
  // end pause

  // begin resume
  func resume() {
    guard let data = resumeData else {  // ←
      print("there is nothing to resume")
      return
    }
    downloadTask = session.downloadTask(withResumeData: data)
    resumeData = nil
    downloadTask?.resume()
  }
  // end resume

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
