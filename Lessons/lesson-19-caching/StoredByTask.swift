// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A data task's delegate is shown the response, too, and answers by a
/// handler. An ephemeral configuration has a cache of its own, in memory.
enum StoredByTask {
  static func asProposed(_ app: ExampleContext) {
    load(app) { $0 }
  }

  static func refused(_ app: ExampleContext) {
    load(app) { _ in nil }
  }

  typealias Answer = @Sendable (CachedURLResponse) -> CachedURLResponse?

  private static func load(_ app: ExampleContext, answer: @escaping Answer) {
    let configuration = URLSessionConfiguration.ephemeral
    let session = URLSession(
      configuration: configuration, delegate: Load(app, answer),
      delegateQueue: nil)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
    let cache = configuration.urlCache
    let stored = cache?.cachedResponse(for: URLRequest(url: app.url))
    print("stored: \(stored.map { "\($0.data.count) bytes" } ?? "nothing")")
    print("on disk: \(cache?.diskCapacity ?? 0) bytes at most")
  }

  private final class Load: NSObject, URLSessionDataDelegate {
    private let app: ExampleContext
    private let answer: Answer
    init(_ app: ExampleContext, _ answer: @escaping Answer) {
      (self.app, self.answer) = (app, answer)
    }
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      willCacheResponse proposedResponse: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      completionHandler(answer(proposedResponse))
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      if let error { print("failed: \((error as NSError).code)") }
      app.quit()
    }
  }
}
