// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Main looks every 5 ms whether the name is there: polling in place of the event, and no run loop serves the
/// application meanwhile.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  private final class Box: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: String?
    var name: String? {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }

  static func run(_ app: ExerciseContext) {
    let box = Box()
    URLSession.shared.dataTask(with: app.url) { data, _, _ in
      box.name = (try? JSONDecoder().decode(Document.self, from: data ?? Data()))?.name ?? ""
    }.resume()
    while box.name == nil { Thread.sleep(forTimeInterval: 0.005) }
    app.label = box.name ?? ""
  }
}
