// SPDX-License-Identifier: Apache-2.0
import Delivery

/// The calls of a delegate during a load: requests about to be sent, the response, the body in pieces, the end.
///
/// Calls come one at a time, in the places the connection is scheduled, in this order: any number of
/// `connection(_:willSend:redirectResponse:)`, `connection(_:needNewBodyStream:)` and
/// `connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)`; the response; any number of pieces of
/// data; one of `connectionDidFinishLoading(_:)` and `connection(_:didFailWithError:)`. Nothing follows the end, nor a
/// cancellation.
public protocol NSURLConnectionDataDelegate: NSURLConnectionDelegate {
  /// A request is about to be sent: the first one, with a nil response, or the one a redirect leads to. The load waits
  /// for the answer.
  ///
  /// Without Objective-C the connection cannot find out whether a delegate implements a method. So it calls each data
  /// delegate before the first request, and sends nothing before its run loop runs or its queue has a turn. On Apple's
  /// systems that holds only for delegates that implement this method.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - request: What the connection sends unless the delegate returns another request.
  ///   - response: The redirect (its body is dropped), or nil before the first request.
  /// - Returns: The request to send, the given one or any other. nil refuses: a redirect's own 3xx response and body
  ///   then become the result. Apple does not say what nil means before the first request; here the load ends there
  ///   without a further call, as after `cancel()`. Once the connection is cancelled the answer is ignored.
  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest?

  /// A body that was given as a stream has to be sent again: after a redirect that keeps it (307, 308), with
  /// credentials, or because a connection that was kept alive turned out to be dead. Not called for the first sending.
  /// The load waits for the answer.
  ///
  /// Where a delegate does not have this method, what was sent is repeated from a copy: the first 128 KiB in memory,
  /// more in a private file without a name. The connection learns whether a class has the method by its first call and
  /// makes the copy until then; on Apple's systems having the method prevents it from the start.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - request: The request that will be sent.
  /// - Returns: A stream that is not open, from the body's first byte; it is the loader's from then on. nil fails the
  ///   load with −1021.
  func connection(_ connection: NSURLConnection, needNewBodyStream request: URLRequest) -> InputStream?

  /// The system has taken a part of the request's body. Not called after the response.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - bytesWritten: Bytes since the last call.
  ///   - totalBytesWritten: Bytes so far. Falls back when the body is sent again.
  ///   - totalBytesExpectedToWrite: The body's length, −1 for a stream without a Content-Length.
  func connection(
    _ connection: NSURLConnection, didSendBodyData bytesWritten: Int, totalBytesWritten: Int,
    totalBytesExpectedToWrite: Int)

  /// The final response: normally once, before any data, and not at all if the load fails earlier. Data that the
  /// delegate collected before belongs to an older response; the delegate must drop it.
  ///
  /// A multipart/x-mixed-replace body leads to one call for each part, with the part's own type and its data behind it;
  /// there is none for the body as a whole unless it has no part.
  func connection(_ connection: NSURLConnection, didReceive response: URLResponse)

  /// The next piece of the body, at most 512 KiB; joined in order the pieces are the whole body. An empty body has
  /// none.
  ///
  /// While this method works the load reads on until 1 MiB waits, then it slows the server down: memory stays bounded
  /// whatever the delegate does.
  func connection(_ connection: NSURLConnection, didReceive data: Data)

  /// The response is complete and about to be stored in `URLCache.shared`: after the last data and before
  /// `connectionDidFinishLoading(_:)`, which waits for the answer. Not called for a response that is not stored, nor
  /// for one from the cache.
  ///
  /// A response is stored when it answers a GET with a status from 200 to 299 other than 206, RFC 9111 allows it, its
  /// length is known, it has a validator or a lifetime, and its body is not larger than a twentieth of the cache.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - cachedResponse: What will be stored.
  /// - Returns: It, or another one with other data, user info or storage policy. nil stores nothing.
  func connection(
    _ connection: NSURLConnection, willCacheResponse cachedResponse: CachedURLResponse
  ) -> CachedURLResponse?

  /// The load ended with success: the whole body has been delivered. The last call; the delegate is released after it.
  func connectionDidFinishLoading(_ connection: NSURLConnection)
}

extension NSURLConnectionDataDelegate {
  /// Not implemented: the request is sent as it is, redirects are followed.
  public func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest? {
    DelegateMethod.willSend.isMissing(in: self)
    return request
  }

  /// Not implemented: what was kept of the stream is sent again.
  public func connection(_ connection: NSURLConnection, needNewBodyStream request: URLRequest) -> InputStream? {
    DelegateMethod.needNewBodyStream.isMissing(in: self)
    BodyStreamMethod.isMissing(in: self)
    return nil
  }

  /// Not implemented: the progress goes unnoticed.
  public func connection(
    _ connection: NSURLConnection, didSendBodyData bytesWritten: Int, totalBytesWritten: Int,
    totalBytesExpectedToWrite: Int
  ) {
    DelegateMethod.didSendBodyData.isMissing(in: self)
  }

  /// Not implemented: the response goes unnoticed.
  public func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    DelegateMethod.didReceiveResponse.isMissing(in: self)
  }

  /// Not implemented: the piece is dropped.
  public func connection(_ connection: NSURLConnection, didReceive data: Data) {
    DelegateMethod.didReceiveData.isMissing(in: self)
  }

  /// Not implemented: the response is stored as it is.
  public func connection(
    _ connection: NSURLConnection, willCacheResponse cachedResponse: CachedURLResponse
  ) -> CachedURLResponse? {
    DelegateMethod.willCacheResponse.isMissing(in: self)
    return cachedResponse
  }

  /// Not implemented: the end goes unnoticed.
  public func connectionDidFinishLoading(_ connection: NSURLConnection) {
    connection.load.noteLeftOut("connectionDidFinishLoading(_:)")
  }
}
