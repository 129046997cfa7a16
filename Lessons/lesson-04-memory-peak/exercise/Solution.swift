// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the body of `app.url` into the file “download” of the program's folder. A download task writes each piece as it
/// comes; the handler only moves the file.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let task = URLSession.shared.downloadTask(with: app.url) { location, response, error in
      do {
        let status = (response as? HTTPURLResponse)?.statusCode
        guard let location else { throw error ?? URLError(.unknown) }
        guard status == 200 else { throw URLError(.badServerResponse) }
        try FileManager.default.moveItem(at: location, to: file)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
