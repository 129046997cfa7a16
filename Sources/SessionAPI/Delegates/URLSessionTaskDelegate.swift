// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Receives what concerns a task of any kind. All methods are optional.
///
/// A task's own delegate comes first; a method that it does not have goes to the session's. Each method is called on the
/// session's `delegateQueue`, one at a time for a task and in order, except where it says otherwise.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// A task was made. Called on the thread that makes it, before the call that makes it returns.
  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

  /// A task of a background session with an `earliestBeginDate` is about to begin, and waits until the handler is called.
  /// Not called in other sessions. Difference from Apple: a program that has ended is not started for it, and the task
  /// begins with its own request.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - request: The request that the task was made with.
  ///   - completionHandler: Takes what to do, and the request for `.useNewRequest`.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?)

  /// The server redirects. The task waits until the handler is called: from any thread, now or later.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - response: The 3xx response.
  ///   - request: The request that would be sent next, by RFC 9110 section 15.4.
  ///   - completionHandler: Takes the request to send, this one or another; nil makes the 3xx response itself the result.
  ///     Only the first call counts. Not calling it leaves the task waiting until its resource time-out.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest?

  /// A server asks for a credential. The task waits until the handler is called: from any thread, now or later;
  /// no idle time runs meanwhile.
  ///
  /// Challenges come one at a time: for each protection space of one response, the strongest method first. A credential
  /// that is refused leads to the next challenge, with `previousFailureCount` one higher. Difference from Apple: the same
  /// refused credential, given again and again, ends with the 401 as the response after five times.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - challenge: What is asked: where, by which method, what was refused before.
  ///   - completionHandler: Takes what to do, and the credential for `.useCredential`. Only the first call counts. Not
  ///     calling it leaves the task waiting until its resource time-out.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// The request's body, a stream, has to be sent again: after a redirect that keeps it (307, 308), with credentials, or
  /// because a connection that was kept alive turned out to be dead. The task waits until the handler is called: from
  /// any thread, now or later. Unlike `NSURLConnection` a session keeps no copy of what it has sent.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - completionHandler: Takes a stream that is not open, from the body's first byte; it is the loader's from then on.
  ///     nil ends the task with -1021. Only the first call counts. Not calling it leaves the task waiting.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream?

  /// An upload continues where it was interrupted, and its body was a stream: the rest of it is wanted. The task waits until
  /// the handler is called: from any thread, now or later.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - offset: How many bytes of the body the server has already.
  ///   - completionHandler: Takes a stream that is not open, from behind those bytes. nil ends the task with -1021. Only the
  ///     first call counts. Not calling it leaves the task waiting.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
    completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64
  ) async -> InputStream?

  /// Part of the request's body was sent.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - bytesSent: Bytes since the last call.
  ///   - totalBytesSent: Bytes so far; starts again from zero when the body is sent again.
  ///   - totalBytesExpectedToSend: The body's length in bytes, -1 when unknown.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// An interim response arrived before the final one: a status of 100 to 199 but 101, such as 103 with early hints.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

  /// There is no network that leads to the server, and the task waits for one, as its session's configuration wants
  /// (`waitsForConnectivity`). Called at most once for a task.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// Receives the measurements of the task; the last call before its completion. Called for a task with a completion handler,
  /// too.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - metrics: The phases and counts of each request that was sent.
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// The last call about a task, exactly once; its state is `.completed` and its counts are final. Not called for a task
  /// with a completion handler.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - task: The task.
  ///   - error: A `URLError` of the client's side, such as -999 after a cancel; nil on success. An HTTP status such as
  ///     404 is not an error.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
