// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: the bar moves wherever the session happens to call.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let loader = Loader(app)
    loader.loadFile()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) { loader.loadDetails() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) { loader.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 3) { loader.play() }
    app.runApplication()
  }
}

/// Sendable: its task is set before the first callback comes.
final class Loader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var task: URLSessionDownloadTask?
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    task = session.downloadTask(with: app.url)
    task?.resume()
  }

  func loadDetails() {
    let details = app.url("/name?\(app.url.query ?? "")")
    session.dataTask(with: details) { [app] data, _, error in
      do {
        app.result(try JSONDecoder().decode(Details.self, from: data ?? Data()).name)
      } catch let problem {
        print("no details: \((error ?? problem).localizedDescription)")
      }
    }.resume()
  }

  func pause() { task?.suspend() }

  func play() { task?.resume() }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    guard totalBytesExpectedToWrite > 0 else { return }
    app.progress(Double(totalBytesWritten) / Double(totalBytesExpectedToWrite))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    if let error { print("failed: \(error.localizedDescription)") }
    app.quit()
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
