// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Takes what a `URLProtocol` loads: a response, pieces of the body, the end; or a redirect, or an error, in their
/// place. Each method may be called on any thread, with the protocol itself as the first argument.
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
  /// The response leads elsewhere. The delegate is asked about the new request, and the protocol is stopped. It takes the place of
  /// a response with a Location that was told before; behind any other response the task ends with −1011.
  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)

  /// A stored response is the answer: it counts as the response and the first piece of the body.
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)

  /// The response is there. One with a Location that could be followed is shown with the next call, which may be a redirect.
  ///
  /// Difference from Apple: it is not stored, whatever `policy` says.
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)

  /// A piece of the body is there.
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

  /// The body is whole.
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

  /// The load failed. The task ends with this error as it is.
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)

  /// The server asks for a credential.
  ///
  /// Difference from Apple: the delegate is not asked; the challenge's sender continues without a credential.
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)

  /// A challenge is not to be answered any more. It has no effect.
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
