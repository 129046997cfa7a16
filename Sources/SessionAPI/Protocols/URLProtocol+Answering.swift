// SPDX-License-Identifier: Apache-2.0
import Foundation
package import URLLoading

extension URLProtocol: RequestAnswering {
  package static func wants(_ request: URLRequest, of client: (any LoadClient)?) -> Bool {
    guard let task = (client as? TaskClient)?.task else { return canInit(with: request) }
    return ShownRequest.during(request, of: task) { canInit(with: task) }
  }

  package static func answering(
    _ request: URLRequest, of client: (any LoadClient)?, telling source: ProtocolSource
  ) -> Self {
    let request = canonicalRequest(for: request)
    let listener = ProtocolClient(source)
    guard let task = (client as? TaskClient)?.task else {
      return self.init(request: request, cachedResponse: nil, client: listener)
    }
    let made = ShownRequest.during(request, of: task) {
      self.init(task: task, cachedResponse: nil, client: listener)
    }
    // A subclass may have made itself with the request alone.
    made.ownTask = task
    return made
  }
}

/// The client of a subclass that answers for a load.
private final class ProtocolClient: NSObject, URLProtocolClient {
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
