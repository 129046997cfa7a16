// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// Loads without a transfer.
extension Load {
  /// Takes `request` elsewhere than over HTTP. False when it is an ordinary one.
  func isFed(_ request: URLRequest) -> Bool {
    let classes = protocolClasses
    guard classes.isEmpty else {
      begin(ProtocolFeed(request, shown: forProtocol(request), body: givenBody, classes: classes))
      return true
    }
    return isFedLocally(request)
  }

  /// The request as a protocol sees it: with the address as the program wrote it, and the fields that its configuration
  /// adds.
  private func forProtocol(_ request: URLRequest) -> URLRequest {
    var shown = request
    if request.url == CanonicalURL.request(originalRequest).url { shown.url = originalRequest.url }
    for (name, value) in context.configuration.additionalHeaders where shown.value(forHTTPHeaderField: name) == nil {
      shown.setValue(value, forHTTPHeaderField: name)
    }
    return shown
  }

  private var protocolClasses: [any RequestAnswering.Type] {
    let own = context.configuration.protocolClasses
    return context.configuration.asksRegisteredProtocols ? own + RegisteredProtocols.all : own
  }

  /// The program's own `data:` and `file:` URLs are read, those that a server redirects to never are.
  private func isFedLocally(_ request: URLRequest) -> Bool {
    guard redirectCount == 0, let url = request.url else { return false }
    if url.absoluteString.hasPrefix("http") { return false }
    switch url.scheme?.lowercased() {
    case "data": begin(DataFeed(url))
    case "file": begin(FileFeed(url))
    default: return false
    }
    return true
  }

  private func begin(_ source: any Feed) {
    feed = RunningFeed(source: source)
    note(.sourceStarted(.feed))
    source.start(for: self)
  }

  /// No protocol class wanted the request.
  func declined(_ request: URLRequest, by source: any Feed) {
    context.transport.perform {
      guard self.feed?.source === source, self.machine.isExchanging else { return }
      self.dropFeed()
      self.note(.requestChosen)
      if !self.isFedLocally(request) { self.sendOverHTTP(request) }
    }
  }

  /// Nothing more is wanted of the feed.
  func dropFeed() {
    feed?.source.stop()
    feed = nil
  }

  // MARK: What a feed tells

  /// Takes what a feed tells, on any thread.
  func hear(_ event: FeedEvent, from source: any Feed) {
    context.transport.perform { self.heard(event, source) }
  }

  private func heard(_ event: FeedEvent, _ source: any Feed) {
    guard feed?.source === source, feed?.end == nil else { return }
    switch event {
    case .response(let response):
      if self.response == nil, machine.isExchanging { _ = announce(response) }
    case .body(let data): if !data.isEmpty { feed?.waiting.append(data) }
    case .end(let error): feed?.end = .some(error)
    case .redirect(let response, let request): return redirected(by: response, to: request)
    }
    drainFeed()
  }

  private func redirected(by response: URLResponse, to request: URLRequest) {
    guard self.response == nil, machine.isExchanging else { return }
    dropFeed()
    note(.sourceEnded)
    guard let redirect = response as? HTTPURLResponse else {
      setCurrent(request)
      return send(request)
    }
    _ = redirected(by: redirect, to: request)
  }

  /// Gives what came to where it goes, as long as that can take it.
  func drainFeed() {
    while machine.isExchanging, holds.isEmpty, let piece = feed?.waiting.first, response != nil {
      take(piece)
    }
    guard machine.isExchanging, holds.isEmpty, let feed, feed.waiting.isEmpty || response == nil else { return }
    switch feed.end {
    case nil: if response != nil { feed.source.more(for: self) }
    case .some(let error?): end(error)
    case .some(nil):
      guard response != nil else {
        return end(LoadError.error(.badServerResponse, url: currentURL, description: "There was no response."))
      }
      dropFeed()
      note(.sourceEnded)
      finishIfComplete()
    }
  }

  /// Takes as much of a piece as a transfer brings at a time.
  private func take(_ piece: Data) {
    guard var feed else { return }
    let count = min(64 * 1024, piece.count - feed.offset)
    let range = (piece.startIndex + feed.offset)..<(piece.startIndex + feed.offset + count)
    feed.offset += count
    if feed.offset == piece.count {
      feed.waiting.removeFirst()
      feed.offset = 0
    }
    self.feed = feed
    piece[range].withUnsafeBytes { _ = take($0) }
  }
}
