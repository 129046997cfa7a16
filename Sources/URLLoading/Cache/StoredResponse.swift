// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// The parts of a response that a cache keeps beside its body.
struct StoredHead: Sendable, Equatable {
  /// Method and URL of the request, as `CacheKey` has them.
  var key: CacheKey
  /// The response's own URL.
  var url: URL
  /// Its status; 0 where it is none of HTTP.
  var status: Int
  /// As the server sent them; where it is none of HTTP, type, character set and length by the names of their fields.
  var fields: [HeaderField]
  /// True if the body lies here without the coding in which it was sent.
  var isDecoded: Bool
  /// The exchange it comes from. A program's own has none.
  var provenance: CacheRules.Provenance?
  /// For each name in Vary a digest of the request's value; values themselves may be secrets.
  var selectors: [String: UInt64]
  /// The information that a program keeps with it, in JSON; nil for nothing.
  var userInfo: Data?
}

/// The request under which a response is stored.
struct CacheKey: Hashable, Sendable {
  /// The URL in its canonical spelling, without its fragment, behind the method where that is not GET.
  let text: String

  init(_ url: URL, method: String = "GET") {
    let written = url.absoluteString
    let whole = CanonicalURL.spelling(of: written) ?? written
    let bytes = whole.utf8.span
    var end = bytes.count
    for index in bytes.indices where bytes[index] == UInt8(ascii: "#") {
      end = index
      break
    }
    let bare = end == bytes.count ? whole : String(whole.utf8.prefix(end)) ?? whole
    text = method == "GET" ? bare : method + " " + bare
  }

  init(text: String) { self.text = text }

  /// The key of a program's request; nil for one without a URL.
  init?(_ request: URLRequest) {
    guard let url = request.url else { return nil }
    self.init(url, method: request.httpMethod ?? "GET")
  }

  /// Two keys may have the same.
  var resource: UInt64 { DamageDigest.of(text) }
}

/// A load's response in the form that programs get. It carries its exchange along: a program's own cache that returns this object
/// returns the times and the fields of the request, too.
final class KeptResponse: CachedURLResponse, @unchecked Sendable {
  // Sendable: as its superclass; the property is constant.
  let head: StoredHead

  init(_ head: StoredHead, _ response: URLResponse, _ body: Data, _ userInfo: [AnyHashable: Any]?) {
    self.head = head
    super.init(response: response, data: body, userInfo: userInfo, storagePolicy: .allowed)
  }

  /// Not supported: the toolchain's archives of responses trap on hostile bytes.
  required init?(coder: NSCoder) { nil }
}

/// A response in a cache. What a program or the rules see of it is made when it is first wanted: most are stored and never asked
/// for.
final class StoredResponse: Sendable {
  let head: StoredHead
  let body: Data
  /// The use that the rules allow, where they were asked already.
  let use: CacheRules.Use?

  private struct Made {
    var fields: [String: String]?
    var facts: CacheRules.Stored?
    var cached: CachedURLResponse?
  }

  private let made: Locked<Made>

  init(_ head: StoredHead, _ body: Data, _ cached: CachedURLResponse? = nil, use: CacheRules.Use? = nil) {
    (self.head, self.body, self.use) = (head, body, use)
    made = Locked(Made(cached: cached))
  }

  /// The response that a program stores or gives back for a request with these fields; where it is none of a load's that did
  /// not change, it came in the exchange `provenance`.
  convenience init(
    _ cached: CachedURLResponse, _ key: CacheKey, fields request: CacheFields,
    provenance: CacheRules.Provenance? = nil
  ) {
    if let kept = cached as? KeptResponse, kept.head.key == key, [nil, kept.head.provenance].contains(provenance) {
      // The store drops the `CachedURLResponse`, which doubles an entry's size; `cached` makes it again on demand.
      self.init(kept.head, cached.data)
      return
    }
    let response = cached.response
    let http = response as? HTTPURLResponse
    let fields = http?.fields ?? Self.plainFields(of: response)
    let names = CacheFields(fields).selectors ?? []
    let head = StoredHead(
      key: key, url: response.url ?? URL(fileURLWithPath: "/"), status: http?.statusCode ?? 0,
      fields: fields.map { HeaderField(name: $0.key, value: $0.value) },
      isDecoded: response.expectedContentLength != Int64(cached.data.count), provenance: provenance,
      selectors: provenance?.selectors ?? CacheRules.selectors(of: request, for: names),
      userInfo: Self.text(of: cached.userInfo))
    self.init(head, cached.data, cached)
  }

  /// The same with the fields that a 304 left, which came in the exchange `provenance`.
  func confirmed(_ fields: [String: String], _ provenance: CacheRules.Provenance) -> StoredResponse {
    var head = head
    head.fields = fields.map { HeaderField(name: $0.key, value: $0.value) }
    (head.provenance, head.selectors) = (provenance, provenance.selectors)
    guard let old = made.withLock({ $0.cached }), !(old is KeptResponse) else { return StoredResponse(head, body) }
    // The information that the program keeps with it may be more than a file can say.
    let next = StoredResponse(head, body)
    return next.response.map { response in
      StoredResponse(
        head, body,
        CachedURLResponse(response: response, data: body, userInfo: old.userInfo, storagePolicy: old.storagePolicy))
    } ?? next
  }

  /// True if all of it can lie in a file, and what Vary names in a line.
  var isWritable: Bool {
    let isNamed = head.selectors.keys.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3D } }
    return isNamed && made.withLock { ($0.cached?.userInfo ?? [:]).isEmpty || head.userInfo != nil }
  }

  /// Where it may be kept.
  var policy: URLCache.StoragePolicy { made.withLock { $0.cached?.storagePolicy } ?? .allowed }

  /// Bytes of body and fields.
  var length: Int { head.fields.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

  /// Bytes that it takes in memory, which count against a capacity: objects, tables and texts take a multiple of what a small
  /// body does.
  var size: Int { length + Self.objects + head.fields.count * Self.field }

  /// As malloc counted them for what loads store.
  private static let (objects, field) = (1000, 50)

  /// The fields, those of one name joined.
  var fields: [String: String] {
    made.withLock { made in
      if let known = made.fields { return known }
      let joined = LoadedResponse.joined(head.fields)
      made.fields = joined
      return joined
    }
  }

  /// As the rules see it.
  var facts: CacheRules.Stored {
    if let known = made.withLock({ $0.facts }) { return known }
    let facts = CacheRules.Stored(
      url: head.key.text, status: head.status, fields: CacheFields(head.fields), provenance: head.provenance)
    return made.withLock { made in
      made.facts = facts
      return facts
    }
  }

  /// As a program sees it; nil where the toolchain can make no such response.
  var cached: CachedURLResponse? {
    if let known = made.withLock({ $0.cached }) { return known }
    guard let response = response else { return nil }
    let info = head.userInfo.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    let cached = KeptResponse(head, response, body, info)
    made.withLock { $0.cached = cached }
    return cached
  }

  private var response: URLResponse? {
    guard head.status == 0 else {
      return LoadedResponse(
        url: head.url, status: head.status, version: "HTTP/1.1", fields: fields, isDecoded: head.isDecoded)
    }
    return URLResponse(
      url: head.url, mimeType: fields[Self.type], expectedContentLength: fields[Self.length].flatMap { Int($0) } ?? -1,
      textEncodingName: fields[Self.charset])
  }

  // MARK: - Forms

  private static let (type, charset, length) = ("type", "charset", "length")

  private static func plainFields(of response: URLResponse) -> [String: String] {
    var fields = [length: "\(response.expectedContentLength)"]
    fields[type] = response.mimeType
    fields[charset] = response.textEncodingName
    return fields
  }

  /// Nil where it is empty, or has what JSON cannot say.
  private static func text(of userInfo: [AnyHashable: Any]?) -> Data? {
    guard let userInfo, !userInfo.isEmpty, JSONSerialization.isValidJSONObject(userInfo) else { return nil }
    return try? JSONSerialization.data(withJSONObject: userInfo)
  }
}

extension HTTPURLResponse {
  /// The header fields as what they are.
  var fields: [String: String] {
    allHeaderFields.reduce(into: [:]) { $0["\($1.key.base)"] = "\($1.value)" }
  }
}
