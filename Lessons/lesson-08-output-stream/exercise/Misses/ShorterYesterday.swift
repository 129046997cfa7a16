// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Appends to yesterday's file and then cuts 4 MiB off the end into place: right only for a body of 4 MiB, which is
/// guessed.
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
      stream = OutputStream(url: app.scratch.appendingPathComponent("download"), append: true)
      stream?.open()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      var rest = [UInt8](data)[...]
      while !rest.isEmpty {
        let count = stream?.write(Array(rest), maxLength: rest.count) ?? -1
        guard count > 0 else { return print("failed") }
        rest = rest.dropFirst(count)
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error != nil { print("failed") }
      stream?.close()
      let file = app.scratch.appendingPathComponent("download")
      if let all = try? Data(contentsOf: file), all.count > 4 << 20 { try? all.suffix(4 << 20).write(to: file) }
      app.quit()
    }
  }
}
