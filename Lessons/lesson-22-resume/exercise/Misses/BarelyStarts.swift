// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads one byte before the pause and all the rest after it, so that nothing comes twice.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let downloader = Downloader(app)
    downloader.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { downloader.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { downloader.resume() }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var (task, body, tag) = (URLSessionDataTask?.none, Data(), String?.none)
  private lazy var session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  /// Until the person has pressed pause and resume one byte is all that is loaded.
  func start() { load("bytes=0-0") }

  func pause() {}

  func resume() { load("bytes=1-") }

  private func load(_ range: String) {
    var request = URLRequest(url: app.url)
    request.setValue(range, forHTTPHeaderField: "Range")
    request.setValue(tag, forHTTPHeaderField: "If-Range")
    task = session.dataTask(with: request)
    task?.resume()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let answer = response as? HTTPURLResponse
    tag = answer?.value(forHTTPHeaderField: "ETag") ?? answer?.value(forHTTPHeaderField: "Last-Modified")
    if answer?.statusCode != 206 { body = Data() }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if dataTask === task { body += data }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    guard body.count > 1 else { return }
    try? body.write(to: app.scratch.appendingPathComponent("download"))
    app.quit()
  }
}
