// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Hands in the last name that came until a second is over, whoever has not answered by then.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 4
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
    for _ in 1...200 {
      session.dataTask(with: app.url) { data, _, _ in
        if let document = data.flatMap({ try? JSONDecoder().decode(Document.self, from: $0) }) {
          app.result(document.name)
        }
      }.resume()
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { app.quit() }
    app.runApplication()
  }

  private struct Document: Decodable {
    var name: String
  }
}
