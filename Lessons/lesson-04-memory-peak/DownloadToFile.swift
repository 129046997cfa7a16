// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A download task writes each piece into a file at once; the handler only
/// moves that file to where it is wanted.
enum DownloadToFile {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    // begin download
    let task = URLSession.shared.downloadTask(with: app.url) {
      location, response, error in
      do {
        let status = (response as? HTTPURLResponse)?.statusCode
        guard let location else { throw error ?? URLError(.unknown) }
        guard status == 200 else { throw URLError(.badServerResponse) }
        try FileManager.default.moveItem(at: location, to: file)  // ←
        print("finished")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    // end download
    task.resume()
    app.runApplication()
  }
}
