// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The bar moves by a clock that the buttons stop and start, as if the server sent as fast each time.
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
  private var (isPlaying, step) = (false, 0)
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    task = session.downloadTask(with: app.url)
    play()
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

  func pause() {
    isPlaying = false
    task?.suspend()
  }

  func play() {
    isPlaying = true
    task?.resume()
    tick()
  }

  private func tick() {
    guard isPlaying else { return }
    step += 1
    app.progress(min(0.99, Double(step) / 20))
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { [self] in tick() }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let file = app.scratch.appendingPathComponent("download")
    do { try FileManager.default.moveItem(at: location, to: file) } catch { print("failed: \(error)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    if error == nil { app.progress(1) }
    if let error { print("failed: \(error.localizedDescription)") }
    app.quit()
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
