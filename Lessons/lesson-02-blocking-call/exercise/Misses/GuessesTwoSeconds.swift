// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The answer is looked for after 4 s, because the server takes 2 s, and not when it comes: a nap in place of the
/// event.
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
    Thread.detachNewThread {
      let data = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url), returning: nil)
      box.name = (try? JSONDecoder().decode(Document.self, from: data ?? Data()))?.name
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 4) {
      if let name = box.name { app.result(name) }
      app.quit()
    }
    app.runApplication()
  }
}
