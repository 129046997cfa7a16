// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A POST that is redirected, as a task.
enum RedirectedPostTask {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data("a=1".utf8)
    let task = URLSession.shared.dataTask(with: request) { _, response, _ in
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
