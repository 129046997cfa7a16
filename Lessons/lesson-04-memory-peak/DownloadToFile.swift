// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A download task writes what comes into a file at once; the handler only
/// moves that file to where it is wanted.
enum DownloadToFile {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let task = URLSession.shared.downloadTask(with: app.url) {
      location, _, error in
      do {
        if let location {
          try FileManager.default.moveItem(at: location, to: file)
        }
        print("finished")
      } catch {
        print("not moved: \(error.localizedDescription)")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
