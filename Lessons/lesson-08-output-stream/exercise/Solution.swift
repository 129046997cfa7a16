// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` through an output stream into the file “download”. The stream is opened once, and what it
/// does not take is offered again. Where it takes nothing any more, the load is cancelled.
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
      if !write(data) { dataTask.cancel() }
    }

    /// Writes all of it; false where the stream takes nothing any more.
    private func write(_ data: Data) -> Bool {
      data.withUnsafeBytes { bytes in
        var rest = bytes.bindMemory(to: UInt8.self)[...]
        while let start = UnsafeBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
          let count = stream?.write(start, maxLength: rest.count) ?? -1
          guard count > 0 else { return false }
          rest = rest.dropFirst(count)
        }
        return true
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error != nil { print("failed") }
      stream?.close()
      app.quit()
    }
  }
}
