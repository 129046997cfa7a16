// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: NSURLConnection's handler parses on an operation queue; an operation of the main queue sets the label.
enum Exercise {
  struct Document: Decodable {
    var name: String
  }

  static func run(_ app: ExerciseContext) {
    let queue = OperationQueue()
    NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: queue) { _, data, error in
      let document = try? JSONDecoder().decode(Document.self, from: data ?? Data())
      if document == nil { print("failed: \(error?.localizedDescription ?? "no document")") }
      OperationQueue.main.addOperation {
        if let document { app.label = document.name }
        app.quit()
      }
    }
    app.runApplication()
  }
}
