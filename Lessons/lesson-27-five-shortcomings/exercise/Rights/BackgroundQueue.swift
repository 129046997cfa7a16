// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The delegate's queue is one in the background; steps of a hundredth are handed to the main queue.
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

/// Sendable: the task is used on the main thread alone, the last step on the session's queue alone.
final class Loader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var task: URLSessionDownloadTask?
  private var lastStep: Int64 = -1
  private lazy var files = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    task = files.downloadTask(with: app.url)
    task?.resume()
  }

  func loadDetails() {
    let (app, documents) = (app, URLSession(configuration: .ephemeral))
    documents.dataTask(with: app.url("/name?\(app.url.query ?? "")")) { data, _, error in
      if let details = data.flatMap({ try? JSONDecoder().decode(Details.self, from: $0) }) {
        DispatchQueue.main.async { app.result(details.name) }
      } else {
        print("failed: \(error?.localizedDescription ?? "no details")")
      }
    }.resume()
    documents.finishTasksAndInvalidate()
  }

  func pause() { task?.suspend() }

  func play() { task?.resume() }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    let step = totalBytesWritten * 100 / max(totalBytesExpectedToWrite, 1)
    guard step > lastStep else { return }
    lastStep = step
    DispatchQueue.main.async { [app] in app.progress(Double(step) / 100) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    DispatchQueue.main.async { [app] in app.quit() }
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
