// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: started in the block, the whole body comes to a handler on an operation queue.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async {
      NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, body, error in
        do {
          guard let body else { throw error ?? URLError(.unknown) }
          try body.write(to: app.scratch.appendingPathComponent("download"))
        } catch {
          print("failed: \(error.localizedDescription)")
        }
        app.quit()
      }
    }
    app.runApplication()
  }
}
