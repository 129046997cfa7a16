// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program is paused, keeps its resume data in a file and ends. When it
/// is launched again it goes on.
enum ResumeInNewProcess {
  static func run(_ app: ExampleContext) {
    let kept = app.scratch.appendingPathComponent("resume data")
    if let data = try? Data(contentsOf: kept) {
      try? FileManager.default.removeItem(at: kept)
      let downloader = Downloader(app, from: data)
      downloader.resume()
      return app.runApplication()
    }
    let downloader = Downloader(app)
    downloader.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) {
      downloader.pause()
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.2) {
      try? downloader.resumeData?.write(to: kept)
      app.quit()
    }
    app.runApplication()
  }
}
