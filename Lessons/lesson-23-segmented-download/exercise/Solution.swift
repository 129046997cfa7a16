// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` into the file “download”: in four parts, side by side, where the server has ranges, and as a
/// whole where it has none.
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
  /// Where the next piece of each task belongs.
  private var places: [URLSessionTask: UInt64] = [:]
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) {
    self.app = app
    let file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
  }

  /// Asks how large the file is and whether there are parts, and then for them.
  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    session.dataTask(with: head) { [self] _, answer, _ in
      let answer = answer as? HTTPURLResponse
      let etag = answer?.value(forHTTPHeaderField: "ETag") ?? "W/"
      if answer?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes", !etag.hasPrefix("W/") {
        load(4, of: answer?.expectedContentLength ?? 0, etag)
      } else {
        begin(URLRequest(url: app.url), at: 0)
      }
    }.resume()
  }

  private func load(_ count: Int64, of size: Int64, _ etag: String) {
    for part in 0..<count {
      let (start, end) = (size * part / count, size * (part + 1) / count)
      var request = URLRequest(url: app.url)
      request.setValue("bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range")
      request.setValue(etag, forHTTPHeaderField: "If-Range")
      begin(request, at: UInt64(start))
    }
  }

  private func begin(_ request: URLRequest, at place: UInt64) {
    missing += 1
    let task = session.dataTask(with: request)
    places[task] = place
    task.resume()
  }

  /// A part that was asked for and is none would be written at a wrong place.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let isPart = dataTask.originalRequest?.value(forHTTPHeaderField: "Range") != nil
    completionHandler((response as? HTTPURLResponse)?.statusCode == (isPart ? 206 : 200) ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let place = places[dataTask] else { return }
    do {
      try handle?.seek(toOffset: place)
      try handle?.write(contentsOf: data)
      places[dataTask] = place + UInt64(data.count)
    } catch {
      print("failed: \(error)")
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    missing -= 1
    if missing == 0 { app.quit() }
  }
}
