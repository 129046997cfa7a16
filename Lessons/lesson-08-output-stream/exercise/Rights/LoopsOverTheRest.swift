// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: opens the stream, writes the rest until none is left, tells of a failure and closes the stream.
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
      stream?.open()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      data.withUnsafeBytes { bytes in
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, let stream else { return }
        var done = 0
        while done < bytes.count {
          let count = stream.write(start + done, maxLength: bytes.count - done)
          guard count > 0 else { return dataTask.cancel() }
          done += count
        }
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error != nil { print("failed") }
      stream?.close()
      app.quit()
    }
  }
}
