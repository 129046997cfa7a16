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
    private var body = Data()

    init(_ app: ExerciseContext) {
      self.app = app
      stream = NarrowStream(url: app.scratch.appendingPathComponent("download"), append: false)
      stream?.open()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      body.append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
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
