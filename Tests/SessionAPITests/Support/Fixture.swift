// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import SessionAPI

/// A lesson server and a session with a recording delegate, taken down together.
///
/// A session that nobody invalidates keeps its delegate for ever, as on Apple's systems; to the leak check that is a leak.
final class Fixture: Sendable {
  let server: LessonServer
  let recorder: Recorder
  let session: URLSession

  init(
    _ routes: [Route] = Route.standard, _ reactions: Reactions = Reactions(),
    configuration: URLSessionConfiguration = .default, queue: OperationQueue? = nil,
    directory: URL? = nil
  ) throws {
    server = LessonServer(routes: routes)
    try server.start()
    recorder = Recorder(reactions)
    session = URLSession(configuration, delegate: recorder, queue: queue, directory: directory)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  func url(_ path: String) throws -> URL {
    try #require(URL(string: server.url(path)))
  }

  func request(_ path: String, method: String = "GET") throws -> URLRequest {
    var request = URLRequest(url: try url(path))
    request.httpMethod = method
    return request
  }

  /// Waits for the ends of this many tasks, then for the session's; returns all events.
  func events(after ends: Int = 1) async throws -> [Event] {
    try await recorder.log.wait { $0.ends == ends }
    session.finishTasksAndInvalidate()
    return try await recorder.log.wait { $0.isInvalid }
  }
}

/// The arguments that a completion handler was given, and where.
struct Outcome<Value: Sendable>: Sendable {
  let value: Value?
  let status: Int?
  let error: URLError?
  let isOnQueue: Bool
}

extension URLSession {
  /// Runs a task with a completion handler.
  func outcome<Value: Sendable>(
    _ make: (@escaping @Sendable (Value?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask,
    then act: (URLSessionTask) -> Void = { $0.resume() }
  ) async -> Outcome<Value> {
    await withCheckedContinuation { continuation in
      let queue = delegateQueue
      act(
        make { value, response, error in
          continuation.resume(
            returning: Outcome(
              value: value, status: (response as? HTTPURLResponse)?.statusCode, error: error as? URLError,
              isOnQueue: OperationQueue.current === queue))
        })
    }
  }
}
