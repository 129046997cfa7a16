// SPDX-License-Identifier: Apache-2.0

/// What a delegate hears of a load as it goes on: requests about to be sent, the response, the body in pieces, the end.
///
/// Calls come one at a time, in the places the connection is scheduled, in this order: any number of
/// `connection(_:willSend:redirectResponse:)`; the response; any number of pieces of data; one of
/// `connectionDidFinishLoading(_:)` and `connection(_:didFailWithError:)`. Nothing follows the end, nor a cancellation.
public protocol NSURLConnectionDataDelegate: NSURLConnectionDelegate {
  /// A request is about to be sent: the first one, with a nil response, or the one a redirect leads to. The load waits
  /// for the answer.
  ///
  /// Since nobody can ask here whether a delegate implements a method, each data delegate is asked before the first
  /// request, and so nothing is sent before the connection's run loop runs or its queue has a turn. On Apple's systems
  /// that holds only for delegates that implement this method.
  /// - Parameters:
  ///   - request: what will be sent unless another request is returned.
  ///   - response: the redirect (its body is dropped), or nil before the first request.
  /// - Returns: The request to send, the given one or any other. nil refuses: a redirect's own 3xx response and body
  ///   then become the result. Apple does not say what nil means before the first request; here the load ends there
  ///   without a further call, as after `cancel()`. Once the connection is cancelled the answer is ignored.
  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest?

  /// The final response has come: normally once, before any data, and not at all if the load fails earlier. Whatever
  /// was collected before belongs to an older response and must be dropped.
  func connection(_ connection: NSURLConnection, didReceive response: URLResponse)

  /// The next piece of the body, at most 512 KiB; joined in order the pieces are the whole body. An empty body has none.
  ///
  /// While this method works the load goes on until 1 MiB waits, then the server is slowed down: memory stays bounded
  /// whatever the delegate does.
  func connection(_ connection: NSURLConnection, didReceive data: Data)

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

  /// Not implemented: the response goes unnoticed.
  public func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    DelegateMethod.didReceiveResponse.isMissing(in: self)
  }

  /// Not implemented: the piece is dropped.
  public func connection(_ connection: NSURLConnection, didReceive data: Data) {
    DelegateMethod.didReceiveData.isMissing(in: self)
  }

  /// Not implemented: the end goes unnoticed.
  public func connectionDidFinishLoading(_ connection: NSURLConnection) {}
}
