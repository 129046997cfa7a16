// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Four loads are under way at any time; each that ends starts the next, on a kept connection.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let names = Names(200) { name in
      app.result(name)
      app.quit()
    }
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 4
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
    for _ in 1...4 { chain(50, session, names, app) }
    app.runApplication()
  }

  private static func chain(_ left: Int, _ session: URLSession, _ names: Names, _ app: ExerciseContext) {
    guard left > 0 else { return }
    session.dataTask(with: app.url) { data, _, _ in
      names.answered(data)
      chain(left - 1, session, names, app)
    }.resume()
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
