// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Each load has a session, and skipping invalidates the one; handlers tell who ended.
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
final class Player: @unchecked Sendable {
  private let app: ExerciseContext
  private var session: URLSession?
  private var task: URLSessionDownloadTask?

  init(_ app: ExerciseContext) { self.app = app }

  func load(_ url: URL) {
    app.label = "loading"
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
    task = session.downloadTask(with: url) { [self] location, _, error in
      guard session === self.session else { return }
      ended(location, error)
    }
    self.session = session
    task?.resume()
  }

  func pressPause() {
    guard let task else { return }
    switch task.state {
    case .running: task.suspend()
    case .suspended: task.resume()
    default: break
    }
  }

  func skip() {
    session?.invalidateAndCancel()
    (session, task) = (nil, nil)
  }

  private func ended(_ location: URL?, _ error: (any Error)?) {
    do {
      guard let location else { throw error ?? URLError(.unknown) }
      try FileManager.default.moveItem(at: location, to: app.scratch.appendingPathComponent("download"))
      app.label = "loaded"
    } catch {
      app.label = "failed"
    }
    session?.finishTasksAndInvalidate()
    app.quit()
  }
}
