// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Resume without a pause: the note's button, and the API without its guard.
enum WithoutResumeData {
  /// The note's guard: the press does nothing.
  static func guarded(_ app: ExampleContext) {
    NoteDownloader(app).resume()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
  }

  /// Defective: empty data makes a task all the same, and the task fails.
  static func empty(_ app: ExampleContext) {
    let session = URLSession.shared
    let task = session.downloadTask(withResumeData: Data()) { _, _, error in
      let code = (error as? URLError)?.code.rawValue
      print(code.map { "failed: \($0)" } ?? "finished")
      app.quit()
    }
    task.resume()
    app.runApplication()
  }

  /// Defective: without the guard there is no data to hand over. The note's
  /// property says nothing of nil, as Swift's `Data!` says nothing of it.
  static func missing(_ app: ExampleContext) {
    let resumeData: Data! = nil
    let session = URLSession.shared
    session.downloadTask(withResumeData: resumeData).resume()
    app.runApplication()
  }
}
