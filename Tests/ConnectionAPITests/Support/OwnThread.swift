// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import TestSupport

/// Runs `body` on a thread made for it and waits without blocking the test pool.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { done in
    Thread.detachNewThread {
      done.resume(with: Swift.Result { try body() })
    }
  }
}

/// Runs the calling thread's loop in `mode` until the condition holds or the limit has passed.
/// - Returns: whether it holds.
@discardableResult
func runLoop(
  in mode: RunLoop.Mode = .default, atMost seconds: TimeInterval = TestMachine.patience, until condition: () -> Bool
) -> Bool {
  let limit = Date() + seconds
  while !condition(), Date() < limit {
    let turn = min(limit, Date() + 0.02)
    if !RunLoop.current.run(mode: mode, before: turn) { Thread.sleep(until: turn) }
  }
  return condition()
}

extension RunLoop.Mode {
  /// The mode of a finger on the screen, under Apple's name.
  static let tracking = RunLoop.Mode("UITrackingRunLoopMode")
}

extension LessonServer {
  /// A server that listens.
  static func running(_ more: [Route] = []) throws -> LessonServer {
    let server = LessonServer(routes: more + Route.standard)
    try server.start()
    return server
  }

  /// A request for one of its paths.
  func request(_ path: String) throws -> URLRequest {
    guard let url = URL(string: url(path)) else { throw URLError(.badURL) }
    return URLRequest(url: url)
  }
}
