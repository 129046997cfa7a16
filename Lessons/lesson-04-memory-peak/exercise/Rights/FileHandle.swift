// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a data delegate writes each piece through one handle and keeps none of them.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    do {
      let file = app.scratch.appendingPathComponent("download")
      try Data().write(to: file)
      let load = Load(app, try FileHandle(forWritingTo: file))
      let session = URLSession(configuration: .ephemeral, delegate: load, delegateQueue: .main)
      session.dataTask(with: app.url).resume()
      session.finishTasksAndInvalidate()
      app.runApplication()
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private let handle: FileHandle
    init(_ app: ExerciseContext, _ handle: FileHandle) { (self.app, self.handle) = (app, handle) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      do { try handle.write(contentsOf: data) } catch { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      try? handle.close()
      app.quit()
    }
  }
}
