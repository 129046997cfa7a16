// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program is paused, keeps its resume data in a file and ends. When it
/// is launched again it continues.
enum ResumeInNewProcess {
  static func run(_ app: ExampleContext) {
    let kept = app.scratch.appendingPathComponent("resume data")
    if let data = try? Data(contentsOf: kept) {
      resume(app, from: data)
      return removeIfFinished(kept, in: app)
    }
    let downloader = Downloader(app)
    downloader.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) {
      downloader.pause()
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.2) {
      do { try downloader.resumeData?.write(to: kept) } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  private static func resume(_ app: ExampleContext, from data: Data) {
    let downloader = Downloader(app, from: data)
    downloader.resume()
    app.runApplication()
  }

  /// The data serves until the whole file is there.
  private static func removeIfFinished(_ kept: URL, in app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    if FileManager.default.fileExists(atPath: file.path) {
      try? FileManager.default.removeItem(at: kept)
    }
  }
}
