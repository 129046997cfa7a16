// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A POST that is redirected, as a task without a delegate.
enum RedirectedPostTask {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data("a=1".utf8)
    let task = URLSession.shared.dataTask(with: request) {
      _, response, error in
      if let error {
        print("failed: \(error.localizedDescription)")
      } else {
        print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
