// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads one byte before each pause and all the rest after the last one, so that nothing comes twice.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let downloader = Downloader(app)
    downloader.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { downloader.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { downloader.resume() }
    if FileManager.default.fileExists(atPath: app.scratch.appendingPathComponent("again").path) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { downloader.pause() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 3) { downloader.resume() }
    }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var (task, body, tag) = (URLSessionDataTask?.none, Data(), String?.none)
  private lazy var session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  private var pauses: Int {
    FileManager.default.fileExists(atPath: app.scratch.appendingPathComponent("again").path) ? 2 : 1
  }

  /// Until the person has pressed resume for the last time a byte is all that is loaded.
  func start() { load("bytes=\(body.count)-\(body.count < pauses ? "\(body.count)" : "")") }

  func pause() {}

  func resume() { start() }

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
    guard body.count > pauses else { return }
    try? body.write(to: app.scratch.appendingPathComponent("download"))
    app.quit()
  }
}
