// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking

/// Lets a class of the program's own answer a request: the first of the classes that wants it.
///
/// The class is user code, so it runs on a queue of its own, one call at a time for all loads; its client may be called on
/// any thread, and calls here. What it brings is not paused: a protocol has no way to be asked to wait.
package final class ProtocolSource: LocalSource, @unchecked Sendable {
  // Sendable: what changes is touched on the queue alone.
  private let request: URLRequest
  private let shown: URLRequest
  private let body: LoadBody?
  private let classes: [any RequestAnswering.Type]
  private var load: Load?
  private var loader: (any RequestAnswering)?
  private static let queue = DispatchQueue(label: "url-protocols")

  /// A local source for `request`, which the classes see as `shown`.
  init(_ request: URLRequest, shown: URLRequest, body: LoadBody?, classes: [any RequestAnswering.Type]) {
    (self.request, self.shown, self.body, self.classes) = (request, shown, body, classes)
  }

  func start(for load: Load) {
    let client = load.client
    Self.queue.async { [self] in
      let request = wholeRequest
      guard let found = classes.first(where: { $0.wants(request, of: client) }) else {
        return load.declined(self.request, by: self)
      }
      self.load = load
      let loader = found.answering(request, of: client, telling: self)
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
    var request = shown
    switch body {
    case .data(let data): request.httpBodyStream = InputStream(data: data)
    case .file(let url): request.httpBodyStream = InputStream(url: url)
    case .requested, nil: break
    }
    return request
  }

  private func report(_ event: LocalSourceEvent) {
    Self.queue.async { [self] in load?.report(event, from: self) }
  }
}

/// What the client of an answering class passes on, on any thread.
extension ProtocolSource {
  package func redirected(by response: URLResponse, to request: URLRequest) { report(.redirect(response, to: request)) }
  package func received(_ response: URLResponse) { report(.response(response)) }
  package func received(_ data: Data) { report(.body(data)) }
  package func finished() { report(.end(nil)) }
  package func failed(with error: any Error) { report(.end(ForeignError.carried(error, url: request.url))) }
}
