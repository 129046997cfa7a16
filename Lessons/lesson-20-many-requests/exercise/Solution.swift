// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the document at `app.url` two hundred times and hands in the name in it, once all answers agree. One session has
/// four connections.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let names = Names(200) { name in
      app.result(name)
      app.quit()
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 4
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
    for _ in 1...200 {
      session.dataTask(with: app.url) { data, _, _ in
        names.answered(data)
      }.resume()
    }
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}

/// The names in the answers. Sendable: it is used on the main thread alone.
final class Names: @unchecked Sendable {
  private struct Document: Decodable {
    var name: String
  }

  private var (left, all) = (0, Set<String>())
  private let done: @Sendable (String) -> Void

  init(_ number: Int, _ done: @escaping @Sendable (String) -> Void) {
    left = number
    self.done = done
  }

  func answered(_ data: Data?) {
    let document = data.flatMap { try? JSONDecoder().decode(Document.self, from: $0) }
    all.insert(document?.name ?? "no name")
    left -= 1
    if left == 0 { done(all.count == 1 ? all.joined() : "\(all.count) different names") }
  }
}
