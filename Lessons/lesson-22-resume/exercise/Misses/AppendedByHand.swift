// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: asks for the rest with a Range header and appends whatever comes, also when the file has changed.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let load = Load(app)
    load.ask()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { load.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { load.ask() }
    if FileManager.default.fileExists(atPath: app.scratch.appendingPathComponent("again").path) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { load.pause() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 3) { load.ask() }
    }
    app.runApplication()
  }

  /// Sendable: it is used on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    private var task: URLSessionDataTask?
    private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)
    init(_ app: ExerciseContext) { self.app = app }

    func ask() {
      var request = URLRequest(url: app.url)
      if !body.isEmpty { request.setValue("bytes=\(body.count)-", forHTTPHeaderField: "Range") }
      let task = session.dataTask(with: request)
      self.task = task
      task.resume()
    }

    func pause() {
      let paused = task
      task = nil
      paused?.cancel()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      if dataTask === task { body.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard task === self.task else { return }
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }
  }
}
