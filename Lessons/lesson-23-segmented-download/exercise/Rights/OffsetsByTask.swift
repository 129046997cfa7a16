// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// One handle; each task's place in the file is kept by its number; HEAD says whether there are parts.
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
  private var (missing, offsets) = (0, [Int: UInt64]())
  private lazy var session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) {
    self.app = app
    let file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
  }

  /// Asks how large the file is, and then for its parts, if the server has any.
  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    session.dataTask(with: head) { [self] _, answer, _ in
      let fields = answer as? HTTPURLResponse
      let hasRanges = fields?.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes"
      load(hasRanges ? 4 : 1, of: answer?.expectedContentLength ?? 0)
    }.resume()
  }

  private func load(_ count: Int64, of size: Int64) {
    missing = Int(count)
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      if count > 1 { request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range") }
      let task = session.dataTask(with: request)
      offsets[task.taskIdentifier] = UInt64(start)
      task.resume()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let offset = offsets[dataTask.taskIdentifier] else { return }
    do {
      try handle?.seek(toOffset: offset)
      try handle?.write(contentsOf: data)
    } catch {
      print("failed: \(error)")
    }
    offsets[dataTask.taskIdentifier] = offset + UInt64(data.count)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard offsets[task.taskIdentifier] != nil else { return }
    if let error { print("failed: \(error.localizedDescription)") }
    missing -= 1
    if missing == 0 { app.quit() }
  }
}
