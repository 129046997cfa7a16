// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: an output stream in place of the handle. It is opened once, and empties the file.
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
    private var stream: OutputStream?
    private var file: URL { app.scratch.appendingPathComponent("download") }
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let isRight = (response as? HTTPURLResponse)?.statusCode == 200
      stream = isRight ? OutputStream(url: file, append: false) : nil
      stream?.open()
      completionHandler(stream?.streamStatus == .open ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      var rest = data
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { bytes in
          bytes.bindMemory(to: UInt8.self).baseAddress.flatMap { stream?.write($0, maxLength: bytes.count) } ?? -1
        }
        guard count > 0 else { return dataTask.cancel() }
        rest = rest.dropFirst(count)
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      stream?.close()
      app.quit()
    }
  }
}
