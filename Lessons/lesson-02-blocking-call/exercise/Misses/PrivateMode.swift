// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Main waits in a mode of its own, in which nothing of the application is heard, until the answer is there.
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
    DispatchQueue.main.async {
      let box = Box()
      NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, data, _ in
        box.name = (try? JSONDecoder().decode(Document.self, from: data ?? Data()))?.name ?? ""
      }
      let mode = RunLoop.Mode("waiting")
      let ticks = Timer(timeInterval: 0.1, repeats: true) { _ in }
      RunLoop.main.add(ticks, forMode: mode)
      while box.name == nil { _ = RunLoop.main.run(mode: mode, before: Date(timeIntervalSinceNow: 0.1)) }
      ticks.invalidate()
      app.result(box.name ?? "")
      app.quit()
    }
    app.runApplication()
  }
}
