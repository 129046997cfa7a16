// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Four sessions with one connection each; the requests go round.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let names = Names(200) { name in
      app.result(name)
      app.quit()
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    let sessions = (1...4).map { _ in URLSession(configuration: configuration, delegate: nil, delegateQueue: .main) }
    for index in 0..<200 {
      sessions[index % 4].dataTask(with: app.url) { data, _, _ in names.answered(data) }.resume()
    }
    for session in sessions { session.finishTasksAndInvalidate() }
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
