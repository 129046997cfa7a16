// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Collects the whole body and sends it through the stream when all is there.
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
    private var body = Data()

    init(_ app: ExerciseContext) {
      self.app = app
      stream = app.narrowStream(for: app.scratch.appendingPathComponent("download"))
      stream?.open()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      body.append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error != nil { print("failed") }
      while !body.isEmpty {
        let part = [UInt8](body.prefix(16 << 10))
        let count = stream?.write(part, maxLength: part.count) ?? -1
        if count <= 0 { break }
        body = Data(body.dropFirst(count))
      }
      stream?.close()
      app.quit()
    }
  }
}
