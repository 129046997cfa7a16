// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The body comes as one piece of data and is written as one. All of it lies
/// in memory at that moment, and nothing is heard before.
enum OneWrite {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let request = URLRequest(url: app.url)
    NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
      response, data, error in
      do {
        try data?.write(to: file, options: .atomic)
        print("finished")
      } catch {
        print("not written: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }
}
