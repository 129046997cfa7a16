// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// Which feed answers a request in place of a transfer: a class of the program's own, or the URL itself.
struct FeedChoice {
  let context: LoadContext
  /// The load's first request, as the program wrote it.
  let original: URLRequest
  /// What was given in place of the request's own body.
  let body: LoadBody?
  /// Whether a server led the load to the request.
  let isRedirected: Bool

  /// The feed for `request`; nil for one that goes over HTTP.
  func feed(for request: URLRequest) -> (any Feed)? {
    let classes = classes
    // A request without a URL cannot be answered, and the toolchain ends the process when a copy of one is changed.
    guard !classes.isEmpty, request.url != nil else { return localFeed(for: request) }
    return ProtocolFeed(request, shown: shown(request), body: body, classes: classes)
  }

  /// The same without the program's classes: its own `data:` and `file:` URLs are read, those that a server redirects to
  /// never are.
  func localFeed(for request: URLRequest) -> (any Feed)? {
    guard !isRedirected, let url = request.url else { return nil }
    if url.absoluteString.hasPrefix("http") { return nil }
    switch url.scheme?.lowercased() {
    case "data": return DataFeed(url)
    case "file": return FileFeed(url)
    default: return nil
    }
  }

  private var classes: [any RequestAnswering.Type] {
    let own = context.configuration.protocolClasses
    return context.configuration.asksRegisteredProtocols ? own + RegisteredProtocols.all : own
  }

  /// The request as a protocol sees it: with the address as the program wrote it, and the fields that its configuration
  /// adds.
  private func shown(_ request: URLRequest) -> URLRequest {
    var shown = request
    if request.url == CanonicalURL.request(original).url { shown.url = original.url }
    for (name, value) in context.configuration.additionalHeaders where shown.value(forHTTPHeaderField: name) == nil {
      shown.setValue(value, forHTTPHeaderField: name)
    }
    return shown
  }
}
