// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: on a queue of its own; the stream is opened at the response and offered 4 KiB at a time, and what it did not take
/// is offered again.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .default, delegate: Load(app), delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its methods are called on one queue, one at a time.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var stream: OutputStream?
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      stream = app.narrowStream(for: app.scratch.appendingPathComponent("download"))
      stream?.open()
      completionHandler(stream?.streamStatus == .open ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      var rest = data
      while !rest.isEmpty {
        let slice = [UInt8](rest.prefix(4 << 10))
        let count = stream?.write(slice, maxLength: slice.count) ?? -1
        guard count > 0 else { return dataTask.cancel() }
        rest = rest.dropFirst(count)
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error != nil { print("failed") }
      stream?.close()
      app.quit()
    }
  }
}
