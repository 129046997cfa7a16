// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// Which local source answers a request in place of a transfer: a class of the program's own, or the URL itself.
struct LocalSourceChoice {
  let context: LoadContext
  /// The address of the load's first request, as the program wrote it.
  let written: URL?
  /// The body that was given in place of the request's own body.
  let body: LoadBody?
  /// True if a server led the load to the request.
  let isRedirected: Bool

  /// The source for `request`, to which the session adds its `fields`; nil for one that goes over HTTP.
  func source(for request: URLRequest, adding fields: [String: String]) -> (any LocalSource)? {
    let classes = classes
    // A request without a URL cannot be answered, and the toolchain ends the process when a copy of one is changed.
    guard !classes.isEmpty, request.url != nil else { return urlSource(for: request) }
    let choice = ProtocolChoice(classes: classes, showsBodiesAsStreams: context.configuration.showsBodiesAsStreams)
    return ProtocolSource(request, shown: shown(request, adding: fields), body: body, choice: choice)
  }

  /// The same without the program's classes: its own `data:` and `file:` URLs are read, those that a server redirects to
  /// never are.
  func urlSource(for request: URLRequest) -> (any LocalSource)? {
    guard !isRedirected, let url = request.url else { return nil }
    if url.absoluteString.hasPrefix("http") { return nil }
    switch url.scheme?.lowercased() {
    case "data": return DataSource(url)
    case "file": return FileSource(url)
    default: return nil
    }
  }

  private var classes: [any RequestAnswering.Type] {
    let own = context.configuration.protocolClasses ?? []
    return context.configuration.asksRegisteredProtocols ? own + RegisteredProtocols.all : own
  }

  /// The request as a protocol sees it: with the address as the program wrote it, and the fields that its session
  /// adds. What the class marks in it stays through every copy, so that a class does not see its own request again.
  private func shown(_ request: URLRequest, adding fields: [String: String]) -> URLRequest {
    var shown = request
    if let written, request.url == CanonicalURL.request(URLRequest(url: written)).url { shown.url = written }
    for (name, value) in fields where shown.value(forHTTPHeaderField: name) == nil {
      shown.setValue(value, forHTTPHeaderField: name)
    }
    return MarkableRequest.of(shown)
  }
}
