// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The file gets a second name outside of the folder, and is still opened for each piece through that name.
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
    private let other: URL
    init(_ app: ExerciseContext) {
      self.app = app
      other = app.scratch.deletingLastPathComponent().appendingPathComponent("name-\(UUID().uuidString)")
      let target = app.scratch.appendingPathComponent("download").path
      close(open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o644))
      _ = link(target, other.path)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let handle = try? FileHandle(forWritingTo: other) else { return }
      handle.seekToEndOfFile()
      handle.write(data)
      try? handle.close()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      unlink(other.path)
      app.quit()
    }
  }
}
