// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// All the steps of the bar are shown at once, when the file is there.
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

/// Sendable: it is used on the main thread alone.
final class Loader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var task: URLSessionDownloadTask?
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    task = session.downloadTask(with: app.url)
    task?.resume()
  }

  func loadDetails() {
    session.dataTask(with: app.url("/name?\(app.url.query ?? "")")) { [self] data, _, _ in
      let details = data.flatMap { try? JSONDecoder().decode(Details.self, from: $0) }
      app.result(details?.name ?? "?")
    }.resume()
  }

  func pause() { task?.suspend() }

  func play() { task?.resume() }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    session.finishTasksAndInvalidate()
    for step in 0...20 { app.progress(Double(step) / 20) }
    app.quit()
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
