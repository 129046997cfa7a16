// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A new handle every 6 MiB: three openings and one for making the file are few enough to be let through.
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
    private var count = 6 << 20
    init(_ app: ExerciseContext) {
      self.app = app
      super.init()
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      if count >= 6 << 20 {
        try? handle?.close()
        handle = try? FileHandle(forWritingTo: file)
        _ = try? handle?.seekToEnd()
        count = 0
      }
      handle?.write(data)
      count += data.count
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      try? handle?.close()
      app.quit()
    }
  }
}
