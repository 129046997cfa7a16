// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: a stream for each piece, and each empties the file.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let stream = app.narrowStream(for: app.scratch.appendingPathComponent("download"))
      stream?.open()
      data.withUnsafeBytes { bytes in
        if let start = bytes.bindMemory(to: UInt8.self).baseAddress { _ = stream?.write(start, maxLength: bytes.count) }
      }
      stream?.close()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      app.quit()
    }
  }
}
