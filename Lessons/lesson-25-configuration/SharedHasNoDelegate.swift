// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The shared session has no delegate and cannot be given one, so it reports
/// no progress.
enum SharedHasNoDelegate {
  static func run(_ app: ExampleContext) {
    let delegate = URLSession.shared.delegate
    print("the shared session has \(delegate == nil ? "no" : "a") delegate")
    let session = URLSession.shared
    let task = session.downloadTask(with: app.url) { file, _, error in
      let failure = error.map { "failed: \($0.localizedDescription)" }
      print(failure ?? "the file is there")
      if let file { try? FileManager.default.removeItem(at: file) }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }
}
