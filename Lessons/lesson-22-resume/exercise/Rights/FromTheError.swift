// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A plain handler: what the cancelled task had comes as resume data, by the closure of cancel.
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
final class Downloader: @unchecked Sendable {
  private let app: ExerciseContext
  private let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
  private var task: URLSessionDownloadTask?
  private var kept: Data?

  init(_ app: ExerciseContext) { self.app = app }

  func start() {
    task = session.downloadTask(with: app.url) { [self] in ended($0, $2) }
    task?.resume()
  }

  func pause() {
    task?.cancel { [self] data in OperationQueue.main.addOperation { [self] in kept = data } }
  }

  func resume() {
    guard let kept else { return start() }
    task = session.downloadTask(withResumeData: kept) { [self] in ended($0, $2) }
    task?.resume()
  }

  private func ended(_ location: URL?, _ error: (any Error)?) {
    if (error as? URLError)?.code == .cancelled { return }
    if let location {
      try? FileManager.default.moveItem(at: location, to: app.scratch.appendingPathComponent("download"))
    } else {
      print("failed: \(error?.localizedDescription ?? "no file")")
    }
    app.quit()
  }
}
