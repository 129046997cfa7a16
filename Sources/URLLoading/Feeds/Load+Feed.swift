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
      begin(ProtocolFeed(request, body: givenBody, classes: classes))
      return true
    }
    return isFedLocally(request)
  }

  private var protocolClasses: [URLProtocol.Type] {
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
    phase = .running
    hasTransferEnded = false
    feed = RunningFeed(source: source)
    if let deadline { feed?.timer = endTimer(at: deadline) }
    source.start(for: self)
  }

  private func endTimer(at deadline: ContinuousClock.Instant) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      context.transport.perform { self.runOutOfTime() }
    }
    timer.schedule(deadline: .now() + max(0, (deadline - .now) / .seconds(1)))
    timer.activate()
    return timer
  }

  private func runOutOfTime() {
    guard feed != nil else { return }
    end(LoadError.error(.timedOut, url: currentURL, description: "The request timed out."))
  }

  /// No protocol class wanted the request.
  func declined(_ request: URLRequest, by source: any Feed) {
    context.transport.perform {
      guard self.feed?.source === source, self.phase == .running else { return }
      self.dropFeed()
      if !self.isFedLocally(request) { self.sendOverHTTP(request) }
    }
  }

  /// Nothing more is wanted of the feed.
  func dropFeed() {
    feed?.timer?.cancel()
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
      if self.response == nil, phase == .running { _ = announce(response) }
    case .body(let data): if !data.isEmpty { feed?.waiting.append(data) }
    case .end(let error): feed?.end = .some(error)
    case .redirect(let response, let request): return redirected(by: response, to: request)
    }
    drainFeed()
  }

  private func redirected(by response: URLResponse, to request: URLRequest) {
    guard self.response == nil, phase == .running else { return }
    dropFeed()
    hasTransferEnded = true
    guard let redirect = response as? HTTPURLResponse else {
      setCurrent(request)
      return send(request)
    }
    _ = redirected(by: redirect, to: request)
  }

  /// Gives what came to where it goes, as long as that can take it.
  func drainFeed() {
    while phase == .running, holds.isEmpty, let piece = feed?.waiting.first, response != nil {
      take(piece)
    }
    guard phase == .running, holds.isEmpty, let feed, feed.waiting.isEmpty || response == nil else { return }
    switch feed.end {
    case nil: if response != nil { feed.source.more(for: self) }
    case .some(let error?): end(error)
    case .some(nil):
      guard response != nil else {
        return end(LoadError.error(.badServerResponse, url: currentURL, description: "There was no response."))
      }
      dropFeed()
      hasTransferEnded = true
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
