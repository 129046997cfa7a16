// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A load is given up after a second only where it has less than a third of its bytes; the others take as long as they like.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Course": "run-loops"]
    let session = URLSession(configuration: configuration)
    let loads = DispatchGroup()
    for _ in 1...3 {
      loads.enter()
      let task = session.dataTask(with: app.url) { _, _, error in
        if let error = error as? URLError { app.result("\(error.code == .cancelled ? -1001 : error.errorCode)") }
        loads.leave()
      }
      task.resume()
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        if task.countOfBytesReceived * 3 < task.countOfBytesExpectedToReceive { task.cancel() }
      }
    }
    loads.notify(queue: .main) { app.quit() }
    app.runApplication()
  }
}
