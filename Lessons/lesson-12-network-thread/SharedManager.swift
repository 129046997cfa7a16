// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// One manager over one session for the whole program. Threads, ports, locks
/// and modes are the session's business.
enum SharedManager {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    Manager.shared.download(app.url, to: file) { problem in
      print("completion: \(problem ?? "the file is there")")
      app.quit()
    }
    app.runApplication()
  }

  private final class Manager: Sendable {
    static let shared = Manager()
    private let session = URLSession(configuration: .default)

    // begin session
    func download(
      _ url: URL, to file: URL,
      completion: @escaping @Sendable (String?) -> Void
    ) {
      let task = session.downloadTask(with: url) {
        location, response, error in
        var problem = error?.localizedDescription
        do {
          if let location { try keep(location, response, as: file) }  // ←
        } catch {
          problem = error.localizedDescription
        }
        DispatchQueue.main.async { [problem] in completion(problem) }
      }
      task.resume()
    }
    // end session
  }

  private static func keep(
    _ location: URL, _ response: URLResponse?, as file: URL
  ) throws {
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
      throw URLError(.badServerResponse)
    }
    let part = file.appendingPathExtension("part")
    try FileManager.default.moveItem(at: location, to: part)
    guard rename(part.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
