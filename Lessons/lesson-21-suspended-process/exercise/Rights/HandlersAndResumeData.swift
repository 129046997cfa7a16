// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Completion handlers on a queue in the background; each error's resume data goes into the next task.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Downloader(app).start()
    app.runApplication()
  }
}

final class Downloader: Sendable {
  private let app: ExerciseContext
  private let session: URLSession

  init(_ app: ExerciseContext) {
    self.app = app
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 2
    session = URLSession(configuration: configuration)
  }

  func start() {
    session.downloadTask(with: app.url) { self.ended($0, $2) }.resume()
  }

  private func ended(_ location: URL?, _ error: (any Error)?) {
    if let kept = (error as? URLError)?.downloadTaskResumeData {
      return session.downloadTask(withResumeData: kept) { self.ended($0, $2) }.resume()
    }
    guard let location else { return start() }
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
    app.quit()
  }
}
