// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// A load and the cache: what is stored answers in place of the network, or together with it; whole responses are found before
/// the load ends, and lie on the disk a moment later. Requests and heads in, what is to be done out. Downloads take no part.
/// Of the I/O thread.
struct LoadCache {
  /// The next step of a request.
  enum Step {
    case send(TransferRequest)
    /// Loads of the same URL wait for theirs, which were begun before and go out before: send it behind those.
    case wait(URLCache, CacheKey, TransferRequest)
    /// Look the request up in the store, then `conclude`.
    case find(URLCache, URLRequest, CacheRules.Asked, news: Bool, TransferRequest)
    case serve(Answer)
    /// Nothing is stored, and the policy forbids to load it.
    case fail
  }

  /// The meaning of a 304.
  enum Validation {
    /// The stored response is still valid.
    case confirmed(Answer)
    /// The 304 means another version: this request goes out.
    case repeated(TransferRequest)
  }

  /// A stored response, as it answers a request.
  struct Answer {
    let found: StoredResponse
    let fields: [String: String]

    var status: Int { found.head.status }
    /// True if the body was stored without the coding in which it was sent.
    var isDecoded: Bool { found.head.isDecoded }
  }

  /// Where responses are kept; nil for nowhere.
  private let store: URLCache?
  private var exchange: CacheExchange?
  private var served: ServedBody?

  init(_ store: URLCache?) {
    self.store = store
  }
}

// MARK: - Requests

extension LoadCache {
  /// Decides on `transferRequest`, which is that of `request`: it is sent, or what the cache makes of it, or it is
  /// answered from the cache.
  mutating func consult(
    _ transferRequest: consuming TransferRequest, for request: URLRequest, configured: NSURLRequest.CachePolicy,
    isDownload: Bool
  ) -> Step {
    exchange = nil
    let policy = request.cachePolicy == .useProtocolCachePolicy ? configured : request.cachePolicy
    guard let url = request.url, let asked = asked(transferRequest, url, policy) else {
      return policy == .returnCacheDataDontLoad ? .fail : passingNone(request.url, .send(transferRequest))
    }
    guard let store, !isDownload else { return passingNone(url, conclude(asked, nil, transferRequest)) }
    exchange = CacheExchange(store: store, asked: asked, request: request, url: url)
    guard CacheRules.mayUseStored(for: asked) else { return passingNone(url, conclude(asked, nil, transferRequest)) }
    switch store.look(asked) {
    case .known(let found): return passingNone(url, conclude(asked, found, transferRequest))
    case .onDisk(let news): return .find(store, request, asked, news: news, transferRequest)
    }
  }

  /// Decides on a request that skips the cache: it passes no load of the same URL that waits.
  private func passingNone(_ url: URL?, _ step: consuming Step) -> Step {
    guard let store, let url, store.line.isAwaited(by: url), case .send(let request) = step else { return step }
    return .wait(store, CacheKey(url), request)
  }

  /// The request as the cache sees it; nil for one with a body or another method, which the cache knows nothing about.
  private func asked(
    _ transferRequest: borrowing TransferRequest, _ url: URL, _ policy: NSURLRequest.CachePolicy
  ) -> CacheRules.Asked? {
    guard transferRequest.method == "GET", case .none = transferRequest.body else { return nil }
    if store == nil, policy == .useProtocolCachePolicy { return nil }
    return CacheRules.Asked(
      url: CacheKey(url).text, method: "GET", policy: policy, fields: CacheFields(ofRequest: transferRequest.fields))
  }

  /// The same, once it is known what is stored. Never `.find`.
  mutating func conclude(
    _ asked: CacheRules.Asked, _ found: StoredResponse?, _ transferRequest: consuming TransferRequest
  ) -> Step {
    let now = CacheExchange.now
    exchange?.requested = now
    let facts = found.flatMap { $0.use == .atAnyAge && !asked.takesAnyAge ? nil : $0.facts }
    switch CacheRules.verdict(asked, facts, now: now) {
    case .fail: return .fail
    case .load(let fields):
      for (name, value) in fields where asked.fields[name.lowercased()] == nil {
        transferRequest.fields.append(HeaderField(name: name, value: value))
      }
    case .validate(let fields):
      exchange?.found = found
      exchange?.plain = copy transferRequest
      transferRequest.fields += fields.sorted { $0.key < $1.key }.map { HeaderField(name: $0.key, value: $0.value) }
    case .serve:
      guard let found else { break }
      let age = CacheRules.freshness(of: found.facts, now: now).age
      let fields = CacheRules.merged(found.fields, with: ["Age": "\(age)"])
      return .serve(Answer(found: found, fields: fields))
    }
    return .send(transferRequest)
  }
}

// MARK: - Answers

extension LoadCache {
  /// Judges the answer to the question whether what is stored is still valid; nil when it is not, or was not asked.
  mutating func validate(_ head: ResponseHead) -> Validation? {
    guard let exchange, let found = exchange.found, let plain = exchange.plain else { return nil }
    (exchange.found, exchange.plain) = (nil, nil)
    guard head.status == 304 else { return nil }
    guard CacheRules.confirms(CacheFields(head.fields), found.facts) else { return .repeated(plain) }
    let fields = CacheRules.merged(found.fields, with: LoadedResponse.joined(head.fields))
    keepConfirmed(found, fields, exchange)
    return .confirmed(Answer(found: found, fields: fields))
  }

  /// Stores what a 304 brought up to date. The client is not asked again.
  private func keepConfirmed(_ found: StoredResponse, _ fields: [String: String], _ exchange: CacheExchange) {
    let names = CacheFields(fields).selectors ?? []
    let provenance = CacheRules.Provenance(
      requested: exchange.requested, received: CacheExchange.now,
      selectors: CacheRules.selectors(of: exchange.asked.fields, for: names))
    exchange.store.keep(found.confirmed(fields, provenance), for: exchange.request, confirming: found)
  }

  /// The stored body is the one that the receiver gets.
  mutating func serve(_ answer: Answer) {
    exchange = nil
    served = ServedBody(answer.found.body)
  }

  /// True if a stored body is on its way to its receiver.
  var isServing: Bool { served != nil }

  /// Takes the next piece of that body off; nil when there is none.
  mutating func nextPiece() -> Data? {
    let piece = served?.next()
    if piece == nil { served = nil }
    return piece
  }
}

// MARK: - Storing

extension LoadCache {
  /// The head of a redirect or of the final response has arrived: its body may be worth keeping, and what a program changed is
  /// not worth it any more. `request` is the one that it answers.
  func note(_ head: ResponseHead, to request: @autoclosure () -> URLRequest) {
    guard let store else { return }
    // The cache takes part in nothing but a GET without a body.
    if let exchange { return note(head, of: exchange) }
    let request = request()
    guard let url = request.url, let method = request.httpMethod, method != "GET" else { return }
    let doubtful = CacheRules.invalidated(
      method: method, url: url, status: head.status, fields: CacheFields(head.fields))
    if !doubtful.isEmpty { store.forget(doubtful) }
  }

  private func note(_ head: ResponseHead, of exchange: CacheExchange) {
    // Parts that replace one another are a stream, which a delegate gets in another shape than a handler.
    if MixedReplace.boundary(of: head.value(of: "Content-Type")) == nil { exchange.keep(head) }
    if exchange.hadStored, exchange.kept == nil, (200...299).contains(head.status) {
      exchange.store.forget([exchange.url])
    }
  }

  /// A piece of the body of a response that may be stored.
  func append(_ bytes: UnsafeRawBufferPointer) {
    unsafe exchange?.kept?.body.append(bytes)
  }

  /// The whole body has arrived: what to offer to `client`; nil when there is nothing that it has to decide about.
  mutating func offer(to client: any LoadDecisions) -> (CachedURLResponse, StorableResponse)? {
    guard let exchange, let kept = exchange.kept, let body = kept.body.whole else { return nil }
    self.exchange = nil
    let stored = StoredResponse(
      StoredHead(
        key: CacheKey(text: exchange.asked.url), url: exchange.url, status: kept.head.status,
        // Without the room that the array of a head has for more.
        fields: kept.head.fields.map(\.self),
        isDecoded: !kept.head.decodedCodings.isEmpty, provenance: kept.provenance,
        selectors: kept.provenance.selectors), body, use: kept.use)
    // A client that decides nothing never sees a `CachedURLResponse`, so none is made.
    if !client.decidesStoring {
      exchange.store.keep(stored, for: exchange.request)
      return nil
    }
    return stored.cached.map {
      let storable = StorableResponse(
        store: exchange.store, request: exchange.request, fields: exchange.asked.fields, provenance: kept.provenance)
      return ($0, storable)
    }
  }

  /// The body goes into a file, and nothing is stored.
  mutating func discard() {
    exchange = nil
  }
}
