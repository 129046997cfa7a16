// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Defective: the delegate, which has the one required method and no other,
/// only notes where the file is and comes back for it later.
enum DownloadForgotten {
  static func run(_ app: ExampleContext) {
    let session = URLSession(
      configuration: .default, delegate: Forgetful(app), delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Forgetful: NSObject, URLSessionDownloadDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    // begin forgotten
    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      print("in the method: \(state(of: location))")
      let later = DispatchTime.now() + 0.5
      DispatchQueue.main.asyncAfter(deadline: later) { [self] in  // ←
        print("half a second later: \(state(of: location))")
        app.quit()
      }
    }
    // end forgotten

    private func state(of file: URL) -> String {
      FileManager.default.fileExists(atPath: file.path) ? "there" : "gone"
    }
  }
}
