// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The load is asynchronous, but main naps for 0.4 s again and again until it is over.
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
    NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, data, _ in
      box.name = (try? JSONDecoder().decode(Document.self, from: data ?? Data()))?.name ?? ""
    }
    _ = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { timer in
      Thread.sleep(forTimeInterval: 0.4)
      guard let name = box.name else { return }
      timer.invalidate()
      app.result(name)
      app.quit()
    }
    app.runApplication()
  }
}
