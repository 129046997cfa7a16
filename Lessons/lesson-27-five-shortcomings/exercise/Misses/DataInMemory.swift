// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: a session, but the file is still collected in memory and written at the end.
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
final class Loader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var task: URLSessionDataTask?
  private var body = Data()
  private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    task = session.dataTask(with: app.url)
    task?.resume()
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

  func pause() { task?.suspend() }

  func play() { task?.resume() }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    body += data
    app.progress(Double(body.count) / Double(dataTask.countOfBytesExpectedToReceive))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task === self.task else { return }
    if let error { print("failed: \(error.localizedDescription)") }
    try? body.write(to: app.scratch.appendingPathComponent("download"))
    app.quit()
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}
