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
      stream = NarrowStream(url: app.scratch.appendingPathComponent("download"), append: false)
      stream?.open()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      data.withUnsafeBytes { bytes in
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, let stream else { return }
        var done = 0
        while done < bytes.count {
          let count = stream.write(start + done, maxLength: bytes.count - done)
          guard count > 0 else {
            print("failed: \(stream.streamError?.localizedDescription ?? "the stream takes no more")")
            return dataTask.cancel()
          }
          done += count
        }
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      stream?.close()
      app.quit()
    }
  }
}
