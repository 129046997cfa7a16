// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: yesterday's file is removed, but a handle is still opened for each piece.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let session = URLSession(configuration: .default, delegate: Load(app, file), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private let file: URL
    init(_ app: ExerciseContext, _ file: URL) { (self.app, self.file) = (app, file) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let handle = try? FileHandle(forWritingTo: file) else { return }
      handle.seekToEndOfFile()
      handle.write(data)
      try? handle.close()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      app.quit()
    }
  }
}
