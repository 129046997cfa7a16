// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A delegate collects two hundred bodies by their task's number; four connections.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 4
    let session = URLSession(configuration: configuration, delegate: Collector(app), delegateQueue: .main)
    for _ in 1...200 { session.dataTask(with: app.url).resume() }
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Collector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Document: Decodable {
    var name: String
  }

  private let app: ExerciseContext
  private var (bodies, names, ended) = ([Int: Data](), Set<String>(), 0)

  init(_ app: ExerciseContext) { self.app = app }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    bodies[dataTask.taskIdentifier, default: Data()] += data
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let body = bodies.removeValue(forKey: task.taskIdentifier) ?? Data()
    let document = error == nil ? try? JSONDecoder().decode(Document.self, from: body) : nil
    names.insert(document?.name ?? "no name")
    ended += 1
    guard ended == 200 else { return }
    app.result(names.count == 1 ? names.joined() : "\(names.count) different names")
    app.quit()
  }
}
