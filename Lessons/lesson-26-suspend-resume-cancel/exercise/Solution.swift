// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// First comes an advertisement, which a person skips after 0.2 s. Then the body of `app.url` is loaded into the file
/// “download”, while the same person presses the pause button twice: 0.3 s later, and once more after as many
/// seconds as the file “pause” says.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let player = Player(app)
    player.load(app.url("/never"))
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
      player.skip()
      player.load(app.url)
    }
    let pause = try? String(contentsOf: app.scratch.appendingPathComponent("pause"), encoding: .utf8)
    let seconds = pause.flatMap(Double.init) ?? 2.5
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
      player.pressPause()
      DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { player.pressPause() }
    }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Player: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var task: URLSessionDownloadTask?
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func load(_ url: URL) {
    app.label = "loading"
    task = session.downloadTask(with: url)
    task?.resume()
  }

  func pressPause() {
    if task?.state == .suspended { task?.resume() } else { task?.suspend() }
  }

  /// The end of the skipped task is still to come. It is the end of nothing else.
  func skip() {
    task?.cancel()
    task = nil
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    app.label = error == nil ? "loaded" : "failed"
    app.quit()
  }
}
