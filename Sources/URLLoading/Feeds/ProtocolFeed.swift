// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// Lets a program's own subclass of `URLProtocol` answer a request: the first of the classes that wants it.
///
/// The subclass is user code, so it runs on a queue of its own, one call at a time for all loads; its client may be called
/// on any thread. What it brings is not paused: a protocol has no way to be asked to wait.
final class ProtocolFeed: NSObject, Feed, @unchecked Sendable {
  // Sendable: what changes is touched on the queue alone.
  private let request: URLRequest
  private let body: LoadBody?
  private let classes: [URLProtocol.Type]
  private var load: Load?
  private var loader: URLProtocol?
  private static let queue = DispatchQueue(label: "url-protocols")

  init(_ request: URLRequest, body: LoadBody?, classes: [URLProtocol.Type]) {
    (self.request, self.body, self.classes) = (request, body, classes)
  }

  func start(for load: Load) {
    Self.queue.async { [self] in
      let request = wholeRequest
      guard let found = classes.first(where: { $0.canInit(with: request) }) else {
        return load.declined(self.request, by: self)
      }
      self.load = load
      let loader = found.init(request: found.canonicalRequest(for: request), cachedResponse: nil, client: self)
      self.loader = loader
      loader.startLoading()
    }
  }

  func more(for load: Load) {}

  func stop() {
    Self.queue.async { [self] in
      let loader = loader.take()
      load = nil
      loader?.stopLoading()
    }
  }

  /// A protocol sees the body of an upload as a stream, whatever it was given as.
  private var wholeRequest: URLRequest {
    var request = request
    switch body {
    case .data(let data): request.httpBodyStream = InputStream(data: data)
    case .file(let url): request.httpBodyStream = InputStream(url: url)
    case .requested, nil: break
    }
    return request
  }

  private func tell(_ event: FeedEvent) {
    Self.queue.async { [self] in load?.hear(event, from: self) }
  }
}

extension ProtocolFeed: URLProtocolClient {
  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
    tell(.redirect(redirectResponse, to: request))
  }

  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
    tell(.response(cachedResponse.response))
    tell(.body(cachedResponse.data))
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    tell(.response(response))
  }

  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
    tell(.body(data))
  }

  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
    tell(.end(nil))
  }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    let url = request.url
    tell(.end(error as? URLError ?? LoadError.error(.unknown, url: url, underlying: error, description: "\(error)")))
  }

  /// A protocol's challenge is not passed on: it is answered as if nobody had a credential.
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    challenge.sender?.continueWithoutCredential(for: challenge)
  }

  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
