// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Downloads and moves the file as it should, then reads it whole to see whether its length is right.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    URLSession.shared.downloadTask(with: app.url) { location, response, _ in
      if let location { try? FileManager.default.moveItem(at: location, to: file) }
      let length = (try? Data(contentsOf: file))?.count ?? 0
      if length != response.map({ Int($0.expectedContentLength) }) { print("failed: \(length) bytes") }
      app.quit()
    }.resume()
    app.runApplication()
  }
}
