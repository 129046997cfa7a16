// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// await in a loop: the error's resume data starts the next attempt.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 2
    let session = URLSession(configuration: configuration)
    Task {
      do {
        let location = try await load(app.url, with: session)
        try FileManager.default.moveItem(at: location, to: app.scratch.appendingPathComponent("download"))
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      session.invalidateAndCancel()
      app.quit()
    }
    app.runApplication()
  }

  private static func load(_ url: URL, with session: URLSession) async throws -> URL {
    var kept: Data?
    while true {
      do {
        if let kept { return try await session.download(resumeFrom: kept).0 }
        return try await session.download(from: url).0
      } catch let error as URLError {
        print("goes on after: \(error.localizedDescription)")
        kept = error.downloadTaskResumeData
      }
    }
  }
}
