// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: as note N1 writes it. The body comes as one piece of data and
/// is written as one, so all of it lies in memory at that moment; nothing
/// comes before, and nothing looks at the error.
enum OneWrite {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let request = URLRequest(url: app.url)
    // begin as-written
    NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
      response, data, error in
      try? data?.write(to: file, options: .atomic)  // ←
      print("finished")
      app.quit()
    }
    // end as-written
    app.runApplication()
  }
}
