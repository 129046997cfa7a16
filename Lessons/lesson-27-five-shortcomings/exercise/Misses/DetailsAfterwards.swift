// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The details are loaded when the file is there, three seconds after the person asked for them.
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
  private var wantsDetails = false
  private var task: URLSessionDownloadTask?
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    app.progress(0)
    task = session.downloadTask(with: app.url)
    task?.resume()
  }

  func loadDetails() { wantsDetails = true }

  private func reallyLoadDetails() {
    session.dataTask(with: app.url("/name?\(app.url.query ?? "")")) { [self] data, _, _ in
      let details = data.flatMap { try? JSONDecoder().decode(Details.self, from: $0) }
      app.result(details?.name ?? "?")
      app.quit()
    }.resume()
  }

  func pause() { task?.suspend() }

  func play() { task?.resume() }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    if totalBytesExpectedToWrite > 0 { app.progress(Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    if wantsDetails { reallyLoadDetails() } else { app.quit() }
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
