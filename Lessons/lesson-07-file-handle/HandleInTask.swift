// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task whose delegate writes each piece through one open handle. It
/// is what a download task would do by itself.
enum HandleInTask {
  static func run(_ app: ExampleContext) {
    let path = app.scratch.appendingPathComponent("download").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let handle = FileHandle(forWritingAtPath: path) else { return }
    let session = URLSession(
      configuration: .default, delegate: Writer(handle, app.quit),
      delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Writer: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let handle: FileHandle
    private let quit: @Sendable () -> Void

    init(_ handle: FileHandle, _ quit: @escaping @Sendable () -> Void) {
      self.handle = handle
      self.quit = quit
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      handle.write(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      handle.closeFile()
      print(
        error.map { "failed: \($0.localizedDescription)" } ?? "finished")
      quit()
    }
  }
}
