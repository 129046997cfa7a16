// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the document once, and 199 times an empty thing from elsewhere on the same server.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 4
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
    let names = Names(1) { app.result($0) }
    let all = DispatchGroup()
    for index in 1...200 {
      all.enter()
      session.dataTask(with: index == 1 ? app.url : app.url("/nothing")) { data, _, _ in
        if index == 1 { names.answered(data) }
        all.leave()
      }.resume()
    }
    all.notify(queue: .main) { app.quit() }
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
