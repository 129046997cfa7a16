// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

/// The request of a task as a `URLProtocol` sees it, known while one is asked or made: the address as it was written, and the
/// fields that the configuration adds.
struct ShownRequest: Sendable {
  private let task: URLSessionTask
  private let request: URLRequest

  @TaskLocal private static var current: ShownRequest?

  /// Runs `body`, which finds `request` for `task`.
  static func during<Result>(_ request: URLRequest, of task: URLSessionTask, _ body: () -> Result) -> Result {
    $current.withValue(ShownRequest(task: task, request: request), operation: body)
  }

  /// Returns the request that is shown just now, otherwise the task's current request; nil where it has none.
  static func of(_ task: URLSessionTask) -> URLRequest? {
    if let current, current.task === task { return current.request }
    return task.currentRequest
  }

  /// For a protocol that a program makes with a task without a request.
  static var none: URLRequest {
    var request = URLRequest(url: URL(filePath: "/"))
    request.url = nil
    return request
  }
}
