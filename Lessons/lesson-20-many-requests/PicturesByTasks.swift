// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same ten pictures with tasks, whose handlers go to the main queue.
enum PicturesByTasks {
  static func run(_ app: ExampleContext) {
    let screen = Screen(app)
    let session = URLSession(
      configuration: .default, delegate: nil, delegateQueue: .main)
    for place in Screen.places {
      let address = screen.address(of: place)
      let task = session.dataTask(with: address) { data, _, error in
        screen.show(data, at: place, error)
      }
      task.resume()
    }
    session.finishTasksAndInvalidate()
    app.runApplication()
  }
}
