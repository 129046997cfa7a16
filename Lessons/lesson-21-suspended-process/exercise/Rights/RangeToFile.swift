// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A data task writes to the file; after a failure it asks for the rest, if the body is the same.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Downloader(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private let file: URL
  private var (handle, tag) = (FileHandle?.none, String?.none)
  private lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 2
    configuration.urlCache = nil
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  init(_ app: ExerciseContext) {
    self.app = app
    file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
  }

  func start() {
    var request = URLRequest(url: app.url)
    if let offset = try? handle?.seekToEnd(), offset > 0, let tag {
      request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
      request.setValue(tag, forHTTPHeaderField: "If-Range")
    }
    session.dataTask(with: request).resume()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let answer = response as? HTTPURLResponse
    tag = answer?.value(forHTTPHeaderField: "ETag") ?? answer?.value(forHTTPHeaderField: "Last-Modified")
    if answer?.statusCode != 206 { try? handle?.truncate(atOffset: 0) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    do { try handle?.write(contentsOf: data) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if error != nil { return start() }
    try? handle?.close()
    app.quit()
  }
}
