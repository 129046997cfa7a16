// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task whose delegate joins the pieces needs as much memory as the
/// connection beside it.
enum CollectingInTask {
  static func run(_ app: ExampleContext) {
    let collector = Collector(app)
    let session = URLSession(
      configuration: .default, delegate: collector, delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
    print("a moment later \(collector.count) bytes are held")
  }

  /// Sendable: the session calls its delegate one method at a time.
  private final class Collector: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var fileData = Data()
    init(_ app: ExampleContext) { self.app = app }
    var count: Int { fileData.count }

    // begin collected
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      fileData.append(data)  // ←
    }
    // end collected

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do {
        if let error { throw error }
        let http = task.response as? HTTPURLResponse
        guard http?.statusCode == 200 else {
          throw URLError(.badServerResponse)
        }
        try fileData.write(to: file, options: .atomic)
        print("written")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      fileData = Data()
      app.quit()
    }
  }
}
