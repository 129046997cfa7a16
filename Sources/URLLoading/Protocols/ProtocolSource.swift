// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import Locking

/// Lets a class of the program's own answer a request: the first of the classes that wants it.
///
/// The class is user code. It is asked on a queue, so that a protocol which waits for a load of its own does not hold up the
/// question that this load asks; its instance is made, started and stopped on one of `ProtocolThreads`. Its client may be
/// called on any thread. What it brings is not paused: a protocol has no way to be asked to wait.
package final class ProtocolSource: LocalSource, @unchecked Sendable {
  // Sendable: `loader` is touched on its thread alone, what else changes is behind a lock.
  private struct Life {
    /// Gets what is reported; nil before the start, and when nothing is wanted any more.
    var load: Load?
    /// Where the instance was made.
    var thread: ProtocolThread?
  }

  private let request: URLRequest
  private let shown: URLRequest
  private let body: LoadBody?
  private let choice: ProtocolChoice
  private let life = Locked(Life())
  private var loader: (any RequestAnswering)?
  private static let asking = DispatchQueue(label: "url-protocols")

  /// A local source for `request`, which the classes see as `shown`.
  init(_ request: URLRequest, shown: URLRequest, body: LoadBody?, choice: ProtocolChoice) {
    (self.request, self.shown, self.body, self.choice) = (request, shown, body, choice)
  }

  func start(for load: Load) {
    life.withLock { $0.load = load }
    let client = load.client
    Self.asking.async { [self] in
      guard isWanted else { return }
      guard let found = choice.classes.first(where: { $0.wants(wholeRequest, of: client) }) else {
        return load.declined(request, by: self)
      }
      if !ProtocolThreads.begin({ self.begin(found, for: client, on: $0) }) {
        let text = "There is no thread for \(found), which wants the request."
        report(.end(LoadError.error(.resourceUnavailable, url: request.url, description: text)))
      }
    }
  }

  func more(for load: Load) {}

  func stop() {
    let thread = life.withLock { life in
      life.load = nil
      return life.thread.take()
    }
    thread?.post { _ in self.loader.take()?.stopLoading() }
  }

  private var isWanted: Bool { life.withLock { $0.load != nil } }

  private func begin(_ found: any RequestAnswering.Type, for client: (any LoadClient)?, on thread: ProtocolThread) {
    guard isWanted else { return }
    let loader = found.answering(wholeRequest, of: client, telling: self)
    let starts = life.withLock { life in
      if life.load != nil { life.thread = thread }
      return life.load != nil
    }
    guard starts else { return }
    self.loader = loader
    loader.startLoading()
  }

  /// A protocol sees the body of an upload as a stream, whatever it was given as; the configuration says whether that of every
  /// other request, too. Each question gets a stream of its own, for it may be read there.
  private var wholeRequest: URLRequest {
    var request = shown
    switch body {
    case .data(let data): request.httpBodyStream = ShownBody(data)
    case .file(let url): request.httpBodyStream = InputStream(url: url)
    case .requested, nil:
      if choice.showsBodiesAsStreams, let data = request.bodyInMemory { request.httpBodyStream = ShownBody(data) }
    }
    return request
  }

  private func report(_ event: LocalSourceEvent) {
    life.withLock { $0.load }?.report(event, from: self)
  }
}

/// Whom a request is shown to, and how.
struct ProtocolChoice {
  /// Asked in this order.
  var classes: [any RequestAnswering.Type]
  var showsBodiesAsStreams: Bool
}

/// The reports that the client of an answering class passes on, on any thread.
extension ProtocolSource {
  package func redirected(by response: URLResponse, to request: URLRequest) { report(.redirect(response, to: request)) }
  package func received(_ response: URLResponse) { report(.response(response)) }
  package func received(_ data: Data) { report(.body(data)) }
  package func finished() { report(.end(nil)) }
  package func failed(with error: any Error) { report(.end(ForeignError.carried(error, url: request.url))) }
}
