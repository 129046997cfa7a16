// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// One manager over one session for the whole program. Threads, ports, locks
/// and modes are the session's business.
enum SharedManager {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    Manager.shared.download(app.url, to: file) { error in
      print("completion: \(error.map { "\($0)" } ?? "the file is there")")
      app.quit()
    }
    app.runApplication()
  }

  private final class Manager: Sendable {
    static let shared = Manager()
    private let session = URLSession(configuration: .default)

    func download(
      _ url: URL, to file: URL,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
      let task = session.downloadTask(with: url) { location, _, error in
        var problem = error
        if let location {
          do {
            try FileManager.default.moveItem(at: location, to: file)
          } catch {
            problem = error
          }
        }
        DispatchQueue.main.async { [problem] in completion(problem) }
      }
      task.resume()
    }
  }
}
