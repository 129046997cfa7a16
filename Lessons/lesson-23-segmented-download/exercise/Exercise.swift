// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` in four parts, side by side, into the file “download”.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class PartedDownload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private let handle: FileHandle?
  private var missing = 0
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) {
    self.app = app
    let file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
  }

  /// Asks how large the file is, and then for its parts.
  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    session.dataTask(with: head) { [self] _, answer, _ in
      load(4, of: answer?.expectedContentLength ?? 0)
    }.resume()
  }

  // TODO: the parts are appended as they come, and not every server has parts to give. Mend it.
  private func load(_ count: Int64, of size: Int64) {
    missing = Int(count)
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range")
      session.dataTask(with: request).resume()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    do { try handle?.write(contentsOf: data) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    missing -= 1
    if missing == 0 { app.quit() }
  }
}
