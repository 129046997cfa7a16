// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a data task's delegate writes through a handle on its own queue and sends each value to main.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its methods are called on the session’s serial queue alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private let handle: FileHandle?
    private var received: Int64 = 0
    init(_ app: ExerciseContext) {
      self.app = app
      let file = app.scratch.appendingPathComponent("download")
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      handle = try? FileHandle(forWritingTo: file)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      try? handle?.write(contentsOf: data)
      let isFirst = received == 0
      received += Int64(data.count)
      let length = dataTask.response?.expectedContentLength ?? -1
      DispatchQueue.main.async { [app, received] in
        if isFirst { app.progress(0) }
        if length > 0 { app.progress(Double(received) / Double(length)) } else if isFirst { app.label = "unknown" }
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      try? handle?.close()
      DispatchQueue.main.async { [app] in
        if let error { print("failed: \(error.localizedDescription)") } else { app.progress(1) }
        app.quit()
      }
    }
  }
}
