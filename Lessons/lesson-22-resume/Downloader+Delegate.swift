// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// What the downloader does with the answer: it keeps a file only after a 200
/// or a 206, and reports every other end.
extension Downloader: URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
  ) {
    print("resumed at \(fileOffset) of \(expectedTotalBytes)")
  }

  // begin file
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 || status == 206 else {  // ←
      problem = "status \(status)"
      return
    }
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch {
      problem = error.localizedDescription
    }
  }
  // end file

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    guard task === self.task else { return }  // a paused one
    if let error {
      problem = error.localizedDescription
      resumeData = (error as? URLError)?.downloadTaskResumeData
    }
    print(problem.map { "failed: \($0)" } ?? "finished")
    app.quit()
  }
}
