// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The pause is a nap: the method that takes the bytes sleeps on the main thread, and the server has to wait for it.
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
final class Player: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var (task, handle, isPaused) = (URLSessionDataTask?.none, FileHandle?.none, false)
  private lazy var session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: .main)

  private var hasNapped = false

  init(_ app: ExerciseContext) { self.app = app }

  func load(_ url: URL) {
    app.label = "loading"
    let file = app.scratch.appendingPathComponent("download")
    try? Data().write(to: file)
    handle = try? FileHandle(forWritingTo: file)
    isPaused = false
    task = session.dataTask(with: url)
    task?.resume()
  }

  func pressPause() {
    guard !isPaused else { return }
    isPaused = true
  }

  func skip() {
    let skipped = task
    task = nil
    skipped?.cancel()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard dataTask === task else { return }
    if isPaused, !hasNapped {
      hasNapped = true
      let pause = try? String(contentsOf: app.scratch.appendingPathComponent("pause"), encoding: .utf8)
      Thread.sleep(forTimeInterval: pause.flatMap(Double.init) ?? 2.5)
    }
    do { try handle?.write(contentsOf: data) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    try? handle?.close()
    app.label = error == nil ? "loaded" : "failed"
    app.quit()
  }
}
