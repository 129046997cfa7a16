// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// A delegate collects the bodies, lets the page be kept, and refuses to keep the statement.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Reader(app).next()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Reader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Page: Decodable {
    var name: String
  }

  private let app: ExerciseContext
  private var (step, body) = (0, Data())
  private lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    configuration.urlCache = URLCache(
      memoryCapacity: 1 << 20, diskCapacity: 20 << 20, diskPath: app.scratch.appendingPathComponent("cache").path)
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  init(_ app: ExerciseContext) { self.app = app }

  func next() {
    step += 1
    body = Data()
    session.dataTask(with: step <= 2 ? app.url : app.url("/body?size=256KiB&etag=v1")).resume()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { body += data }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(step <= 2 ? proposedResponse : nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    if step <= 2, let page = try? JSONDecoder().decode(Page.self, from: body) { app.result(page.name) }
    guard error == nil, step <= 2 else {
      session.finishTasksAndInvalidate()
      return app.quit()
    }
    next()
  }
}
