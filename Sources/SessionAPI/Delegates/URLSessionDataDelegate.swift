// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation
public import URLLoading

/// Receives the response and the body of data and upload tasks, as they arrive. All methods are optional.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  /// The response is there; its body waits until the handler is called: from any thread, now or later. Comes for each
  /// part of a multipart/x-mixed-replace body, with the part's own type; drop or process the bytes before.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - dataTask: The task.
  ///   - response: An `HTTPURLResponse`; a status such as 404 is no error.
  ///   - completionHandler: Takes what to do with the body. Only the first call counts. Not calling it leaves the task
  ///     waiting until its resource time-out.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition

  /// The answer was `.becomeDownload`: from now on `downloadTask` stands for the transfer, in place of `dataTask`, for
  /// which no call follows. Its delegate gets progress, file and completion; it has a number of its own.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)

  /// The answer was `.becomeStream`: from now on `streamTask` stands for the transfer, in place of `dataTask`, for which
  /// no call follows. It reads the body, with content codings undone, from its first byte; its writing side is closed
  /// at once. It completes when the end of the body was read, and has a number of its own.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask)

  /// A piece of the body: only what is new since the last call, at most 512 KiB, with content codings undone.
  ///
  /// While the delegate is busy at most 1 MiB waits; then the transfer pauses, and the server with it.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  /// The whole response has arrived and will be stored in the configuration's `urlCache`: after the last data and before the
  /// completion, which waits for the handler. Not called for a response that is not stored, nor for one that came from
  /// the cache.
  ///
  /// A response is stored when it answers a GET with a status from 200 to 299 other than 206, RFC 9111 allows it, its
  /// length is known, it has a validator or a lifetime, and its body is not larger than a twentieth of the cache.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - dataTask: The task.
  ///   - proposedResponse: What will be stored.
  ///   - completionHandler: Takes it, or another one with other data, user info or storage policy; nil stores nothing. Only
  ///     the first call counts. Not calling it leaves the task waiting until its resource time-out.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) async -> CachedURLResponse?
}

extension URLSessionDataDelegate {
  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition {
    AsynchronousMethod.isMissing(.didReceiveResponse, in: self)
    return .allow
  }

  /// Asks the asynchronous method, then the session's delegate; without either, allows the body.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    dataTask.ask(.didReceiveResponse, of: self) {
      await self.urlSession(session, dataTask: dataTask, didReceive: response)
    } answer: {
      completionHandler($0)
    } next: {
      guard let next = dataTask.roles(after: self)?.data else { return completionHandler(.allow) }
      dataTask.deliver(response, to: next, answer: completionHandler)
    }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    DelegateMethod.didReceiveData.isMissing(in: self)
    if let next = dataTask.roles(after: self)?.data { dataTask.deliver(data, to: next) }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
  ) {
    DelegateMethod.didBecomeDownload.isMissing(in: self)
    if let next = downloadTask.roles(after: self)?.data { dataTask.deliver(downloadTask, to: next) }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
  ) {
    DelegateMethod.didBecomeStream.isMissing(in: self)
    if let next = streamTask.roles(after: self)?.data { dataTask.deliver(streamTask, to: next) }
  }

  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) async -> CachedURLResponse? {
    AsynchronousMethod.isMissing(.willCacheResponse, in: self)
    return proposedResponse
  }

  /// Asks the asynchronous method, then the session's delegate; without either, stores the response as it is.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    dataTask.ask(.willCacheResponse, of: self) {
      await self.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse)
    } answer: {
      completionHandler($0)
    } next: {
      guard let next = dataTask.roles(after: self)?.data else { return completionHandler(proposedResponse) }
      dataTask.deliver(willCache: proposedResponse, to: next, answer: completionHandler)
    }
  }
}
