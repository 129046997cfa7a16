// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A form by a data task, and by upload tasks, which bring the body.
enum FormByTask {
  static func run(_ app: ExampleContext) {
    var request = makeRequest(app)
    request.httpBody = body
    let task = URLSession.shared.dataTask(
      with: request, completionHandler: show(app))
    task.resume()
    app.runApplication()
  }

  static func fromData(_ app: ExampleContext) {
    let task = URLSession.shared.uploadTask(
      with: makeRequest(app), from: body, completionHandler: show(app))
    task.resume()
    app.runApplication()
  }

  static func fromFile(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("form")
    do {
      try body.write(to: file)
    } catch {
      return print("failed: \(error.localizedDescription)")
    }
    let task = URLSession.shared.uploadTask(
      with: makeRequest(app), fromFile: file, completionHandler: show(app))
    task.resume()
    app.runApplication()
  }

  private static let body = Data("username=daka&pwd=123".utf8)

  private static func makeRequest(_ app: ExampleContext) -> URLRequest {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    return request
  }

  private static func show(
    _ app: ExampleContext
  ) -> @Sendable (Data?, URLResponse?, (any Error)?) -> Void {
    { _, response, error in
      if let error {
        print("failed: \(error.localizedDescription)")
      } else {
        print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
      }
      app.quit()
    }
  }
}
