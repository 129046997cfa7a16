// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Main blocks on a semaphore until the handler has parsed, and sets the label then; the application does not run at
/// all.
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
    let done = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: app.url) { data, _, _ in
      box.name = (try? JSONDecoder().decode(Document.self, from: data ?? Data()))?.name
      done.signal()
    }.resume()
    done.wait()
    app.label = box.name ?? ""
    DispatchQueue.main.async(execute: app.quit)
    app.runApplication()
  }
}
