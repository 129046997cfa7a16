// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
public import URLLoading

/// Tasks to await. Each is made and resumed at once.
///
/// Cancelling the enclosing Swift task cancels the transfer, and the call throws `URLError` with code `.cancelled`, not
/// `CancellationError`. The delegate given becomes the task's own: it is asked about redirects and gets the counts
/// of bytes sent, but no response, data, file or completion.
///
/// - Throws: A `URLError`. An HTTP status such as 404 is not an error.
extension URLSession {
  /// Sends `request` and returns the whole body with its response.
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await value { handler in
      let specification = TaskSpecification(request: request, receiver: .dataHandler(handler), delegate: delegate)
      return self.make(specification, URLSessionDataTask.init)
    }
  }

  /// Gets `url` and returns the whole body with its response.
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url), delegate: delegate)
  }

  /// Sends `request` with the file at `fileURL` as its body and returns the answer.
  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await upload(request, .file(fileURL), delegate)
  }

  /// Sends `request` with `bodyData` as its body and returns the answer.
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await upload(request, .data(bodyData), delegate)
  }

  /// Sends `request` and returns a file with the body. The file is the caller's, who moves or removes it.
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await value { handler in
      let receiver = Receiver.fileHandler(handler, keepsFile: true)
      return self.make(
        TaskSpecification(request: request, receiver: receiver, delegate: delegate), URLSessionDownloadTask.init)
    }
  }

  /// Gets `url` and returns a file with the body. The file is the caller's, who moves or removes it.
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url), delegate: delegate)
  }

  private func upload(
    _ request: URLRequest, _ body: LoadBody, _ delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    try await value { handler in
      let specification = TaskSpecification(
        request: request, body: body, receiver: .dataHandler(handler), delegate: delegate)
      return self.make(specification, URLSessionUploadTask.init)
    }
  }

  /// Makes a task with a handler, resumes it and returns what the handler is given.
  func value<Value: Sendable>(
    of make: (@escaping @Sendable (Value?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) async throws -> (Value, URLResponse) {
    let running = RunningTask()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = make { value, response, error in
          guard let value, let response else {
            return continuation.resume(throwing: error ?? URLError(.badServerResponse))
          }
          continuation.resume(returning: (value, response))
        }
        running.adopt(task)
        task.resume()
      }
    } onCancel: {
      running.cancel()
    }
  }
}
