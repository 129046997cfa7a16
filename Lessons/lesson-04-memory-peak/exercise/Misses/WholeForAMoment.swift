// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Keeps the pieces in an array until the end and lets each go when it is written: at the last piece the whole body
/// is in memory, at the program's end nothing is.
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
    private var pieces: [Data] = []
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { pieces.append(data) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let file = app.scratch.appendingPathComponent("download")
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      let handle = try? FileHandle(forWritingTo: file)
      for index in pieces.indices {
        try? handle?.write(contentsOf: pieces[index])
        pieces[index] = Data()
      }
      try? handle?.close()
      pieces = []
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
  }
}
