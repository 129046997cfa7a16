// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// The cache's part in the request of a load that is under way. It belongs to the I/O thread.
final class CacheExchange {
  let store: URLCache
  let asked: CacheRules.Asked
  /// The request as the load has it, and its URL.
  let request: URLRequest
  let url: URL
  /// The request without the cache's own condition, while something is being validated.
  var plain: TransferRequest?
  /// The stored response that is being validated.
  var found: StoredResponse? {
    didSet { hadStored = hadStored || found != nil }
  }
  /// True if something was stored that the response now replaces.
  private(set) var hadStored = false
  /// Seconds since 1970 when the request went out.
  var requested: Int64 = 0
  /// The response that will be stored.
  var kept: Kept?

  init(store: URLCache, asked: CacheRules.Asked, request: URLRequest, url: URL) {
    (self.store, self.asked, self.request, self.url) = (store, asked, request, url)
  }

  /// A response on its way into the cache.
  struct Kept {
    let head: ResponseHead
    let use: CacheRules.Use
    let provenance: CacheRules.Provenance
    let body: CachedBody
  }

  /// Takes the head of a response that may be stored; none where it may not.
  func keep(_ head: ResponseHead) {
    kept = nil
    guard asked.isPlainGET else { return }
    // Most responses have none of the fields that count, and then nothing is looked up.
    let isBare = head.contentLength != nil && !head.fields.contains(where: Self.speaksOfCaching)
    let fields = isBare ? .none : CacheFields(head.fields)
    let isFramed =
      head.contentLength != nil || head.version == "HTTP/2"
      || fields["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true
    let length = head.decodedCodings.isEmpty ? head.contentLength : nil
    let now = Self.now
    let use = CacheRules.use(
      of: head.status, fields, for: asked, isFramed: isFramed, length: length, limit: store.sizeLimit, now: now)
    // A response that the protocol's policy never uses is worth no large copies.
    let limit = use == .again ? store.sizeLimit : store.sizeLimitOfMemory
    guard use != .none, length ?? 0 <= limit, let names = isBare ? [] : fields.selectors else { return }
    let selectors = names.isEmpty ? [:] : CacheRules.selectors(of: asked.fields, for: names)
    let provenance = CacheRules.Provenance(requested: requested, received: now, selectors: selectors)
    kept = Kept(head: head, use: use, provenance: provenance, body: CachedBody(limit: limit))
  }

  /// True if a field is one of those that decide about storing.
  private static func speaksOfCaching(_ field: HeaderField) -> Bool {
    switch field.name.utf8.count {
    case 4: field.isNamed("etag") || field.isNamed("vary")
    case 7: field.isNamed("expires")
    case 13: field.isNamed("last-modified") || field.isNamed("cache-control") || field.isNamed("content-range")
    default: false
    }
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

/// Where and how a whole response is stored, if the client wants that.
struct StorableResponse {
  let store: URLCache
  let request: URLRequest
  /// The fields that went onto the wire.
  let fields: CacheFields
  let provenance: CacheRules.Provenance

  /// Stores what the client made of it; `then` is called when it is where it stays.
  func keep(_ cached: CachedURLResponse, then: @escaping @Sendable () -> Void) {
    guard let key = CacheKey(request) else { return then() }
    let stored = StoredResponse(cached, key, fields: fields, provenance: provenance)
    store.keep(stored, for: request, then: then)
  }
}

/// A body that is gathered for the cache while it goes to its receiver; given up when it grows too large.
final class CachedBody {
  private var data = Data()
  private let limit: Int
  private var isTooLarge = false

  init(limit: Int) {
    self.limit = limit
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard !isTooLarge else { return }
    if data.count + bytes.count > limit {
      isTooLarge = true
      data = Data()
    } else {
      unsafe data.append(contentsOf: bytes)
    }
  }

  /// The whole body; nil when it was too large.
  var whole: Data? { isTooLarge ? nil : data }
}

/// The body of a stored response on its way to its receiver.
struct ServedBody {
  private let data: Data
  private var offset = 0
  private static let piece = 64 * 1024

  init(_ data: Data) {
    self.data = data
  }

  /// Takes the next piece off; nil when there is none.
  mutating func next() -> Data? {
    let count = min(Self.piece, data.count - offset)
    guard count > 0 else { return nil }
    let start = data.startIndex + offset
    offset += count
    return data[start..<(start + count)]
  }
}
