// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation
public import URLLoading

/// The fallbacks where a delegate leaves a method out: another spelling, then the session's delegate, then what a task does
/// without one.
extension URLSessionTaskDelegate {
  /// Does nothing, or asks the session's delegate.
  public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    DelegateMethod.didCreateTask.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliverCreation(to: next) }
  }

  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) {
    AsynchronousMethod.isMissing(.willBeginDelayed, in: self)
    return (.continueLoading, nil)
  }

  /// Asks the asynchronous method, then the session's delegate; without either, begins.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    task.ask(.willBeginDelayed, of: self) {
      await self.urlSession(session, task: task, willBeginDelayedRequest: request)
    } answer: {
      completionHandler($0.0, $0.1)
    } next: {
      guard let next = task.roles(after: self)?.task else { return completionHandler(.continueLoading, nil) }
      task.deliver(delayed: request, to: next, answer: completionHandler)
    }
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
      return owner.continueChallenge(afterTask: self, challenge, completionHandler)
    }
    sender.ask {
      await self.urlSession(session, task: task, didReceive: challenge)
    } answer: { disposition, credential in
      owner.announce(.didReceiveChallenge)
      completionHandler(disposition, credential)
    } next: { task in
      DelegateMethod.didReceiveChallenge.isLeftOut(by: self)
      task.continueChallenge(afterTask: self, challenge, completionHandler)
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
      } else if offset == 0, let delegate = task.delegates.task {
        task.deliverBodyNeed(to: delegate, answer: completionHandler)
      } else {
        completionHandler(nil)
      }
    }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    DelegateMethod.didSendBodyData.isLeftOut(by: self)
    guard let next = task.roles(after: self)?.task else { return }
    task.deliver(sent: .init(bytes: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend), to: next)
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let next = task.roles(after: self)?.task {
      next.urlSession(session, task: task, didCompleteWithError: error)
    } else {
      task.noteCompletionLeftOut()
    }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    DelegateMethod.didFinishCollecting.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliver(metrics, to: next) }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    DelegateMethod.isWaitingForConnectivity.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliverWaiting(to: next) }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    DelegateMethod.didReceiveInformational.isMissing(in: self)
    if let next = task.roles(after: self)?.task { task.deliver(interim: response, to: next) }
  }
}
