// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task with a handler needs as much: the whole body in memory, then
/// one write. It looks at status and error, which changes nothing about that.
enum HandlerOneWrite {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let task = URLSession.shared.dataTask(with: app.url) {
      data, response, error in
      do {
        let status = (response as? HTTPURLResponse)?.statusCode
        guard let data else { throw error ?? URLError(.unknown) }
        guard status == 200 else { throw URLError(.badServerResponse) }
        try data.write(to: file, options: .atomic)
        print("finished")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
