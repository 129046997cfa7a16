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

  /// A stream that takes at most 16 KiB at a time, as one over a pipe or a socket may. It stays as it is.
  private final class NarrowStream: OutputStream {
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
      super.write(buffer, maxLength: min(maxLength, 16 << 10))
    }
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private let stream: OutputStream?

    init(_ app: ExerciseContext) {
      self.app = app
      stream = NarrowStream(url: app.scratch.appendingPathComponent("download"), append: true)
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
      if let error { print("failed: \(error.localizedDescription)") }
      stream?.close()
      let file = app.scratch.appendingPathComponent("download")
      if let all = try? Data(contentsOf: file), all.count > 4 << 20 { try? all.suffix(4 << 20).write(to: file) }
      app.quit()
    }
  }
}
