// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import Timeline
import Transport

/// A load and the cache: what is stored answers in place of the network, or together with it, and whole responses are
/// stored before the load ends. Downloads take no part.
extension Load {
  /// Answers `load(_:willCache:)`, from any thread: stores this response, or none. Any answer but the first does nothing.
  package func cache(_ response: CachedURLResponse?) {
    context.transport.perform { self.handle(.answered(.storing(response))) }
  }

  /// Sends the request, or what the cache makes of it, or answers it from the cache.
  func consultCache(_ transferRequest: consuming TransferRequest, for request: URLRequest) {
    exchange = nil
    guard case .exchange = connection.use else { return start(transferRequest) }
    let own = request.cachePolicy
    let policy = own == .useProtocolCachePolicy ? context.configuration.cachePolicy : own
    guard let url = request.url, let asked = asked(transferRequest, url, policy) else {
      return policy == .returnCacheDataDontLoad ? failUncached() : start(transferRequest)
    }
    guard let store = cache, !isDownload else { return conclude(asked, nil, transferRequest) }
    exchange = CacheExchange(store: store, asked: asked, url: url, plain: copy transferRequest)
    guard CacheRules.mayUseStored(for: asked), store.mayHold(asked.url) || policy != .useProtocolCachePolicy else {
      return conclude(asked, nil, transferRequest)
    }
    let (number, held) = (beginLookup(), transferRequest)
    store.find(url) { found in
      self.context.transport.perform {
        guard self.endsLookup(number) else { return }
        self.conclude(asked, found, held)
      }
    }
  }

  private var isDownload: Bool {
    if case .file? = presetSink { true } else { false }
  }

  /// The request as the cache sees it; nil for one with a body or another method, which the cache knows nothing about.
  private func asked(
    _ transferRequest: TransferRequest, _ url: URL, _ policy: NSURLRequest.CachePolicy
  ) -> CacheRules.Asked? {
    guard transferRequest.method == "GET", case .none = transferRequest.body else { return nil }
    if cache == nil, policy == .useProtocolCachePolicy { return nil }
    return CacheRules.Asked(
      url: CacheStore.key(url), method: "GET", policy: policy, fields: CacheFields(transferRequest.fields))
  }

  private func conclude(
    _ asked: CacheRules.Asked, _ found: CacheStore.Found?, _ transferRequest: consuming TransferRequest
  ) {
    let now = CacheExchange.now
    exchange?.requested = now
    switch CacheRules.verdict(asked, found?.facts, now: now) {
    case .fail: failUncached()
    case .load(let fields):
      for (name, value) in fields where asked.fields[name.lowercased()] == nil {
        transferRequest.fields.append(HeaderField(name: name, value: value))
      }
      start(transferRequest)
    case .validate(let fields):
      exchange?.found = found
      transferRequest.fields += fields.sorted { $0.key < $1.key }.map { HeaderField(name: $0.key, value: $0.value) }
      start(transferRequest)
    case .serve:
      guard let found else { return start(transferRequest) }
      let age = CacheRules.freshness(of: found.facts, now: now).age
      Timeline.emit(.note("answered from the cache"), subject: subject)
      serve(found.cached, found.response, CacheRules.merged(found.response.fields, with: ["Age": "\(age)"]))
    }
  }

  private func failUncached() {
    end(
      LoadError.error(
        .resourceUnavailable, url: currentURL,
        description: "Nothing is cached for this URL, and the cache policy forbids to load it."))
  }

  // MARK: - Answering from the cache

  private func serve(_ cached: CachedURLResponse, _ response: HTTPURLResponse, _ fields: [String: String]) {
    guard let url = currentURL,
      let loaded = LoadedResponse(
        url: url, status: response.statusCode, version: "HTTP/1.1", fields: fields,
        isDecoded: response.expectedContentLength != cached.data.count)
    else { return failUncached() }
    exchange = nil
    noteExchange(currentRequest)
    noteExchange { exchange in
      exchange.response = loaded
      exchange.isFromCache = true
    }
    served = ServedBody(cached.data)
    note(.sourceStarted(.cache))
    _ = announce(loaded)
    feedServed()
  }

  /// Gives the receiver what it can take of a body from the cache.
  func feedServed() {
    while served != nil, machine.isExchanging, holds.isEmpty {
      guard served?.next({ _ = take($0) }) == true else {
        served = nil
        note(.sourceEnded)
        return finishIfComplete()
      }
    }
  }

  /// Judges the answer to the question whether what is stored is still valid. nil when it is not; otherwise nothing is to
  /// be announced: it is, or the request goes out again because the 304 means another version.
  func validated(by head: ResponseHead, _ response: LoadedResponse) -> TransferFlow? {
    guard let exchange, let found = exchange.found else { return nil }
    exchange.found = nil
    guard head.status == 304 else { return nil }
    let old = transfer
    transfer = nil
    guard CacheRules.confirms(CacheFields(head.fields), found.facts) else {
      Timeline.emit(.note("the 304 means another version than the cached one"), subject: subject)
      old?.cancel()
      note(.requestChosen)
      start(exchange.plain)
      return .proceed
    }
    // The old transfer has no body and ends by itself, so that its connection can be used again.
    Timeline.emit(.note("answered from the cache, which the server confirmed with 304"), subject: subject)
    let fields = CacheRules.merged(found.response.fields, with: LoadedResponse.joined(head.fields))
    keepConfirmed(found, fields, exchange)
    serve(found.cached, found.response, fields)
    return .proceed
  }

  /// Stores what a 304 brought up to date. Nobody is asked again.
  private func keepConfirmed(_ found: CacheStore.Found, _ fields: [String: String], _ exchange: CacheExchange) {
    guard
      let response = HTTPURLResponse(
        url: exchange.url, statusCode: found.response.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    else { return }
    let names = CacheFields(fields).selectors ?? []
    let record = CacheRecord(
      requested: exchange.requested, received: CacheExchange.now,
      selectors: CacheRecord.digests(of: exchange.asked.fields, for: names), digest: 0)
    let cached = CachedURLResponse(
      response: response, data: found.cached.data, userInfo: found.cached.userInfo,
      storagePolicy: found.cached.storagePolicy)
    exchange.store.keep(cached, record, for: exchange.url) {}
  }

  // MARK: - Storing

  /// The final response's head has come: its body may be worth keeping, and what a program changed is not worth it any
  /// more.
  func noteForCache(_ head: ResponseHead) {
    guard let store = cache, let url = currentURL else { return }
    // Parts that replace one another are a stream, which a delegate gets in another shape than a handler.
    if exchange != nil, MixedReplace.boundary(of: head.value(of: "Content-Type")) == nil { exchange?.keep(head) }
    let method = currentRequest.httpMethod ?? "GET"
    var doubtful: [URL] = []
    if method != "GET" {
      doubtful = CacheRules.invalidated(
        method: method, url: url, status: head.status, fields: CacheFields(head.fields))
    }
    if exchange?.hadStored == true, exchange?.kept == nil, (200...299).contains(head.status) { doubtful.append(url) }
    if !doubtful.isEmpty { store.remove(doubtful) }
  }

  /// The whole body has come: asks the client whether to store it. False when there is nothing to store.
  func offersToCache() -> Bool {
    guard let exchange, let kept = exchange.kept, let body = kept.body.whole, let client else { return false }
    self.exchange = nil
    note(.asked(.storing(StorableResponse(store: exchange.store, url: exchange.url, record: kept.record))))
    flushBody(client)
    client.load(self, willCache: CachedURLResponse(response: kept.response, data: body, storagePolicy: .allowed))
    return true
  }

  /// Stores what the client made of the response.
  func store(_ response: CachedURLResponse, _ storable: StorableResponse) {
    storable.store.keep(response, storable.record, for: storable.url) {
      self.context.transport.perform { self.handle(.stored) }
    }
  }
}
