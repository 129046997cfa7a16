// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a delegate collects the pieces on the main queue and decodes them at the end.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private struct Document: Decodable {
    var name: String
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { body.append(data) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      do {
        if let error { throw error }
        app.result(try JSONDecoder().decode(Document.self, from: body).name)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
  }
}
