// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` through an output stream into the file “download”. The file may be there from yesterday,
/// and the stream may take less than it is offered.
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
    private let stream: OutputStream?

    init(_ app: ExerciseContext) {
      self.app = app
      stream = app.narrowStream(for: app.scratch.appendingPathComponent("download"))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      // TODO: nothing reaches the file, and nothing notices. Mend it.
      data.withUnsafeBytes { bytes in
        if let start = bytes.bindMemory(to: UInt8.self).baseAddress { _ = stream?.write(start, maxLength: bytes.count) }
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error != nil { print("failed") }
      app.quit()
    }
  }
}
