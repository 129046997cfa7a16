// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: each piece goes to its place, but the program does not check that the response is a part.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let download = PartedDownload(app)
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    download.session.dataTask(with: head) { _, answer, _ in
      download.load(4, of: answer?.expectedContentLength ?? 0)
    }.resume()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class PartedDownload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private let handle: FileHandle?
  private var missing = 0
  private var places: [URLSessionTask: UInt64] = [:]
  lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) {
    self.app = app
    let file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
  }

  func load(_ count: Int64, of size: Int64) {
    missing = Int(count)
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range")
      let task = session.dataTask(with: request)
      places[task] = UInt64(start)
      task.resume()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let place = places[dataTask] else { return }
    try? handle?.seek(toOffset: place)
    try? handle?.write(contentsOf: data)
    places[dataTask] = place + UInt64(data.count)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    missing -= 1
    if missing == 0 { app.quit() }
  }
}
