// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A form by a task, and by an upload task, which brings the body itself.
enum FormByTask {
  static func run(_ app: ExampleContext) {
    var request = makeRequest(app)
    request.httpBody = body
    finish(
      app,
      URLSession.shared.dataTask(
        with: request, completionHandler: show(app)))
  }

  static func fromData(_ app: ExampleContext) {
    finish(
      app,
      URLSession.shared.uploadTask(
        with: makeRequest(app), from: body, completionHandler: show(app)))
  }

  static func fromFile(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("form")
    try? body.write(to: file)
    finish(
      app,
      URLSession.shared.uploadTask(
        with: makeRequest(app), fromFile: file, completionHandler: show(app)
      ))
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
    { data, _, _ in
      print("the server answered \(data?.count ?? 0) bytes")
      app.quit()
    }
  }

  private static func finish(_ app: ExampleContext, _ task: URLSessionTask) {
    task.resume()
    app.runApplication()
  }
}
