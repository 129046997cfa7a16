// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A class for each kind of load: the download's delegate, and await for the details.
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
final class Loader: @unchecked Sendable {
  private let app: ExerciseContext
  private let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
  private var task: URLSessionDownloadTask?

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    app.progress(0)
    task = session.downloadTask(with: app.url)
    task?.delegate = FileDelegate(app)
    task?.resume()
  }

  func loadDetails() {
    Task { [app, session] in
      do {
        let (data, _) = try await session.data(from: app.url("/name?\(app.url.query ?? "")"))
        app.result(try JSONDecoder().decode(Details.self, from: data).name)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
    }
  }

  func pause() { task?.suspend() }

  func play() { task?.resume() }
}

/// Hears of the file. Its methods are called on the main thread alone.
final class FileDelegate: NSObject, URLSessionDownloadDelegate, Sendable {
  private let app: ExerciseContext

  init(_ app: ExerciseContext) { self.app = app }

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
    app.quit()
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
