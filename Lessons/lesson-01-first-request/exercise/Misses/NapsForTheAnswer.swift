// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The handler only stores; a fixed nap of 3 s, not the handler, says when the answer is handed in: a slower answer
/// is lost, a quicker one waits.
enum Exercise {
  private final class Box: @unchecked Sendable {
    private let lock = NSLock()
    private var stored = ""
    var name: String {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }

  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let box = Box()
    URLSession.shared.dataTask(with: app.url) { data, _, _ in
      if let data, let document = try? JSONDecoder().decode(Document.self, from: data) { box.name = document.name }
    }.resume()
    DispatchQueue.main.asyncAfter(deadline: .now() + 3) {
      app.result(box.name)
      app.quit()
    }
    app.runApplication()
  }
}
