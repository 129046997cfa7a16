// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Hears of what concerns a task of any kind. All methods are optional.
///
/// A task's own delegate comes first; a method that it does not have goes to the session's. Each method is called on the
/// session's `delegateQueue`, one at a time for a task and in order, except where it says otherwise.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// A task was made. Called on the thread that makes it, before the call that makes it returns.
  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

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

  /// A server wants to know who is there. The task waits until the handler is called: from any thread, now or later;
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

  /// An upload goes on where it was interrupted, and its body was a stream: the rest of it is wanted. The task waits until
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

  /// An interim response came before the final one: a status of 100 to 199 but 101, such as 103 with early hints.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

  /// There is no network that leads to the server, and the task waits for one, as its session's configuration wants
  /// (`waitsForConnectivity`). Called at most once for a task.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// What was measured of the task; the last call before its completion. Called for a task with a completion handler, too.
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

extension URLSessionTaskDelegate {
  /// Does nothing, or asks the session's delegate.
  public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    DelegateMethod.didCreateTask.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliverCreation(to: next) }
  }

  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest? {
    AsynchronousMethod.isMissing(.willPerformRedirection, in: self)
    return request
  }

  /// Asks the asynchronous method, then the session's delegate; without either, follows.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    task.ask(.willPerformRedirection, of: self) {
      await self.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request)
    } answer: {
      completionHandler($0)
    } next: {
      guard let next = task.roles(after: self)?.task else { return completionHandler(request) }
      task.deliver(response, redirectingTo: request, to: next, answer: completionHandler)
    }
  }

  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    (challenge.sender as? TaskChallenge)?.noteMissingMethod()
    return (.performDefaultHandling, nil)
  }

  /// Asks the asynchronous method, then the session's delegate; without either, default handling.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    DelegateMethod.didReceiveChallenge.isMissing(in: self)
    guard let sender = challenge.sender as? TaskChallenge, let owner = sender.task else {
      return completionHandler(.performDefaultHandling, nil)
    }
    if DelegateMethod.didReceiveChallenge.isKnownToBeLeftOut(by: self) {
      return owner.goOn(afterTask: self, challenge, completionHandler)
    }
    sender.ask {
      await self.urlSession(session, task: task, didReceive: challenge)
    } answer: { disposition, credential in
      owner.announce(.didReceiveChallenge)
      completionHandler(disposition, credential)
    } next: { task in
      DelegateMethod.didReceiveChallenge.isLeftOut(by: self)
      task.goOn(afterTask: self, challenge, completionHandler)
    }
  }

  /// Leads to the next method.
  public func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
    AsynchronousMethod.isMissing(.needNewBodyStream, in: self)
    return nil
  }

  /// Asks the asynchronous method, then the session's delegate; without either, has no stream.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    task.ask(.needNewBodyStream, of: self) {
      await self.urlSession(session, needNewBodyStreamForTask: task)
    } answer: {
      completionHandler($0)
    } next: {
      guard let next = task.roles(after: self)?.task else { return completionHandler(nil) }
      task.deliverBodyNeed(to: next, answer: completionHandler)
    }
  }

  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64
  ) async -> InputStream? {
    AsynchronousMethod.isMissing(.needNewBodyStreamFrom, in: self)
    return nil
  }

  /// Asks the asynchronous method, then the session's delegate; without either, asks for the whole where that is the rest,
  /// and has no stream otherwise.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
    completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    task.ask(.needNewBodyStreamFrom, of: self) {
      await self.urlSession(session, needNewBodyStreamForTask: task, from: offset)
    } answer: {
      completionHandler($0)
    } next: {
      if let next = task.roles(after: self)?.task {
        task.deliverBodyNeed(from: offset, to: next, answer: completionHandler)
      } else if offset == 0, let delegate = task.taskDelegate {
        task.deliverBodyNeed(to: delegate, answer: completionHandler)
      } else {
        completionHandler(nil)
      }
    }
  }

  /// Does nothing, or tells the session's delegate.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    DelegateMethod.didSendBodyData.isLeftOut(by: self)
    guard let next = task.roles(after: self)?.task else { return }
    task.deliver(sent: .init(bytes: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend), to: next)
  }

  /// Does nothing, or tells the session's delegate.
  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    task.roles(after: self)?.task?.urlSession(session, task: task, didCompleteWithError: error)
  }

  /// Does nothing, or tells the session's delegate.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    DelegateMethod.didFinishCollecting.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliver(metrics, to: next) }
  }

  /// Does nothing, or tells the session's delegate.
  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    DelegateMethod.isWaitingForConnectivity.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliverWaiting(to: next) }
  }

  /// Does nothing, or tells the session's delegate.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    DelegateMethod.didReceiveInformational.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliver(interim: response, to: next) }
  }
}
