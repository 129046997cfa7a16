// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Timeline
import URLLoading

extension NSURLConnection {
  /// Loads the whole body while the calling thread waits, and nothing else: its run loop does not run meanwhile.
  ///
  /// Redirects are followed. Any HTTP status is a success, also 401 and 404: look at the response. For a 401 Apple
  /// documents that the load continues without credentials; programs on Apple's systems report −1012 and no response
  /// instead, as the queue-asynchronous form has it. `timeoutInterval` bounds the seconds in which nothing moves, not the
  /// whole. It cannot be cancelled.
  /// - Parameters:
  ///   - request: What to load.
  ///   - response: Set to the final response if there is one, also when the load then fails. Apple's autoreleasing
  ///     pointer is a plain one here.
  /// - Returns: The body, empty if there was none.
  /// - Throws: `URLError`, for every failure to get the whole response; an error of one of the program's protocol
  ///   classes is thrown as it is.
  public class func sendSynchronousRequest(
    _ request: URLRequest, returning response: AutoreleasingUnsafeMutablePointer<URLResponse?>?
  ) throws -> Data {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<CollectingLoad.Outcome?>(nil)
    CollectingLoad.start(request, form: .synchronous) { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    guard let outcome = result.withLock({ $0.take() }) else { preconditionFailure("the load ended without an outcome") }
    unsafe response?.pointee = unsafe outcome.response ?? response?.pointee
    outcome.announce("sendSynchronousRequest(_:returning:)", outcome.error == nil ? outcome.body : nil, outcome.error)
    if let error = outcome.error { throw error.original }
    return outcome.body
  }

  /// Loads the whole body and gives it to `handler`, as one operation on `queue`. Returns at once.
  ///
  /// Redirects are followed. An HTTP status is no error, but for a 401: then the handler gets no response, the body,
  /// and the error −1012. Two loads may end in any order. There is no way to cancel.
  /// - Parameters:
  ///   - request: What to load.
  ///   - queue: Where the handler runs.
  ///   - handler: Gets response, data and error, in this order. On success the data is the body, empty if there is
  ///     none, and the error nil. On failure only the error, a `URLError`, is set.
  public class func sendAsynchronousRequest(
    _ request: URLRequest, queue: OperationQueue,
    completionHandler handler: @escaping @Sendable (URLResponse?, Data?, (any Error)?) -> Void
  ) {
    CollectingLoad.start(request, form: .queued) { outcome in
      queue.addOperation {
        let (response, data, error) = outcome.forHandler
        outcome.announce("completionHandler", data, error)
        handler(response, data, error?.original)
      }
    }
  }

  /// Loads the whole body; the asynchronous form of `sendAsynchronousRequest(_:queue:completionHandler:)`, with the
  /// same rules. Cancelling the task that awaits it does not end the load, as on Apple's systems.
  /// - Throws: `URLError`; −1012 for a 401. Other HTTP statuses are no errors.
  public class func sendAsynchronousRequest(
    _ request: URLRequest, queue: OperationQueue
  ) async throws -> (URLResponse, Data) {
    try await withCheckedThrowingContinuation { continuation in
      sendAsynchronousRequest(request, queue: queue) { response, data, error in
        if let response, let data, error == nil {
          continuation.resume(returning: (response, data))
        } else {
          continuation.resume(throwing: error ?? URLError(.unknown))
        }
      }
    }
  }
}

extension CollectingLoad.Outcome {
  /// What the handler is given: Apple documents for a 401 that the response is nil and the error −1012.
  fileprivate var forHandler: (URLResponse?, Data?, URLError?) {
    if let error { return (nil, nil, error) }
    guard (response as? HTTPURLResponse)?.statusCode == 401 else { return (response, body, nil) }
    let refused = LoadError.error(
      .userCancelledAuthentication, url: response?.url, description: "The server asks for authentication (401).")
    return (nil, body, refused)
  }

  /// Reports the bytes and then the end to the timeline, before the caller gets them.
  fileprivate func announce(_ name: String, _ data: Data?, _ error: URLError?) {
    guard Timeline.isRecording else { return }
    unsafe data?.withUnsafeBytes {
      unsafe Timeline.emit(.callback(name: name, detail: ""), subject: subject, payload: .bytes($0))
    }
    Timeline.emit(.callback(name: name, detail: "end"), subject: subject, payload: .end(error))
    // Nobody holds such a load beyond its end.
    Timeline.emit(.step(.letGo), subject: subject)
  }
}
