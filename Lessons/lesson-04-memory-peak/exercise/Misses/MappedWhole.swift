// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Downloads to a file, then maps that file whole and writes the mapped body: the pages of the whole body are in
/// memory at once.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    URLSession.shared.downloadTask(with: app.url) { location, _, error in
      do {
        guard let location else { throw error ?? URLError(.unknown) }
        let body = try Data(contentsOf: location, options: .alwaysMapped)
        try body.write(to: file)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }.resume()
    app.runApplication()
  }
}
