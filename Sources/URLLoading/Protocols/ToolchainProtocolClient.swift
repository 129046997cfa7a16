// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// The client of a subclass of the toolchain's `URLProtocol`.
final class ToolchainProtocolClient: NSObject, URLProtocolClient {
  private let source: ProtocolSource

  init(_ source: ProtocolSource) { self.source = source }

  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
    source.redirected(by: redirectResponse, to: request)
  }

  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
    source.received(cachedResponse.response)
    source.received(cachedResponse.data)
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    source.received(response)
  }

  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { source.received(data) }

  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { source.finished() }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { source.failed(with: error) }

  /// A protocol's challenge is not passed on: it is answered as where there is no credential.
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    challenge.sender?.continueWithoutCredential(for: challenge)
  }

  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
