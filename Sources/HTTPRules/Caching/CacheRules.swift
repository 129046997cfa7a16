// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking

/// When a stored response answers a request, and which responses are stored (RFC 9111 for a private cache, and Apple's
/// policies on top, A.9). Pure: times come as seconds since 1970.
package enum CacheRules {
  /// A request as the cache sees it.
  package struct Asked: Hashable, Sendable {
    /// Absolute, without fragment.
    package var url: String
    package var method: String
    package var policy: NSURLRequest.CachePolicy
    /// The fields that go onto the wire.
    package var fields: CacheFields
    /// The value of the request's Cache-Control.
    package let cacheControl: String?
    /// A GET whose answer depends on nothing but URL and Vary. A program's own condition wants the server's own answer, a
    /// part is no whole, and what was given to one user is not given to another.
    package let isPlainGET: Bool

    package init(url: String, method: String, policy: NSURLRequest.CachePolicy, fields: CacheFields) {
      (self.url, self.method, self.policy, self.fields) = (url, method, policy, fields)
      cacheControl = fields.isStanding ? nil : fields["cache-control"]
      isPlainGET = method == "GET" && (fields.isStanding || Self.own.allSatisfy { fields[$0] == nil })
    }

    /// True if a stored response without lifetime and validator (`Use.atAnyAge`) may change what becomes of the request.
    package var takesAnyAge: Bool { policy != .useProtocolCachePolicy || cacheControl != nil }

    private static let own = [
      "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range", "authorization",
    ]
  }

  /// A stored response as the rules see it.
  package struct Stored: Hashable, Sendable {
    package var url: String
    package var status: Int
    package var fields: CacheFields
    /// nil where a program stored it.
    package var provenance: Provenance?

    package init(url: String, status: Int, fields: CacheFields, provenance: Provenance?) {
      (self.url, self.status, self.fields, self.provenance) = (url, status, fields, provenance)
    }
  }

  /// The exchange that a stored response comes from.
  package struct Provenance: Hashable, Sendable {
    /// Seconds since 1970 when the request went out and when the response's head came.
    package var requested: Int64
    package var received: Int64
    /// For each name in Vary a digest of the request's value; values themselves may be secrets.
    package var selectors: [String: UInt64]

    package init(requested: Int64, received: Int64, selectors: [String: UInt64]) {
      (self.requested, self.received, self.selectors) = (requested, received, selectors)
    }
  }

  /// The verdict on a request.
  package enum Verdict: Hashable, Sendable {
    /// The stored response answers it.
    case serve
    /// It goes out with these fields; a 304 lets the stored response answer it.
    case validate([String: String])
    /// It goes out as it is, but for these fields.
    case load([String: String])
    /// There is no answer, and it may not go out: -1008.
    case fail
  }

  // MARK: - Using what is stored

  /// True if anything that is stored could play a part.
  package static func mayUseStored(for asked: Asked) -> Bool {
    switch asked.policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return false
    default: return asked.isPlainGET
    }
  }

  /// Decides what happens to a request, given what is stored under its URL.
  package static func verdict(_ asked: Asked, _ stored: Stored?, now: Int64) -> Verdict {
    let stored = stored.flatMap { matches(asked, $0) ? $0 : nil }
    switch asked.policy {
    case .returnCacheDataDontLoad: return stored == nil ? .fail : .serve
    case .returnCacheDataElseLoad: return stored == nil ? .load([:]) : .serve
    case .reloadIgnoringLocalAndRemoteCacheData: return .load(["Cache-Control": "no-cache", "Pragma": "no-cache"])
    case .reloadRevalidatingCacheData:
      return stored.flatMap(condition).map { .validate($0) } ?? .load(["Cache-Control": "max-age=0"])
    case .reloadIgnoringLocalCacheData: return .load([:])
    default: return verdictByProtocol(asked, stored, now: now)
    }
  }

  private static func verdictByProtocol(_ asked: Asked, _ stored: Stored?, now: Int64) -> Verdict {
    if stored == nil, asked.cacheControl == nil { return .load([:]) }
    let wishes = asked.fields.directives
    guard let stored else { return wishes.contains("only-if-cached") ? .fail : .load([:]) }
    if satisfies(wishes, asked, stored, now: now) { return .serve }
    return wishes.contains("only-if-cached") ? .fail : condition(stored).map { .validate($0) } ?? .load([:])
  }

  /// Section 4: the same URI and method, and a request that Vary does not distinguish. A response without a
  /// provenance may answer a request of other fields.
  package static func matches(_ asked: Asked, _ stored: Stored) -> Bool {
    guard asked.isPlainGET, asked.url == stored.url, isStorable(stored.status), let names = stored.fields.selectors
    else { return false }
    if names.isEmpty { return true }
    return stored.provenance.map { $0.selectors == selectors(of: asked.fields, for: names) } ?? false
  }

  /// Digests of what a request says in these fields; a field that it lacks has one, too.
  package static func selectors(of request: CacheFields, for names: [String]) -> [String: UInt64] {
    var digests: [String: UInt64] = [:]
    for name in names { digests[name] = digest(of: request[name]) }
    return digests
  }

  /// The digest of a field's value; 0 for a field that is not there.
  package static func digest(of value: String?) -> UInt64 { value.map { DamageDigest.of($0) } ?? 0 }

  /// Section 4.2: fresh, or stale within what the request allows, and neither side insists on validation.
  private static func satisfies(_ wishes: CacheDirectives, _ asked: Asked, _ stored: Stored, now: Int64) -> Bool {
    let terms = stored.fields.directives
    let asksAnew =
      wishes.contains("no-cache") || (asked.cacheControl == nil && asked.fields["pragma"] == "no-cache")
    guard !asksAnew, !terms.contains("no-cache") else { return false }
    let freshness = freshness(of: stored, now: now)
    if let limit = wishes.seconds("max-age"), freshness.age > limit { return false }
    if let margin = wishes.seconds("min-fresh"), freshness.lifetime - freshness.age < margin { return false }
    if freshness.isFresh { return true }
    guard wishes.contains("max-stale"), !terms.contains("must-revalidate") else { return false }
    // Without an argument any staleness will do (section 5.2.1.2).
    let limit = wishes.hasArgument("max-stale") ? wishes.seconds("max-stale") ?? 0 : CacheDirectives.longest
    return freshness.age - freshness.lifetime <= limit
  }

  package static func freshness(of stored: Stored, now: Int64) -> Freshness {
    let date = stored.fields.date("date", now: now) ?? 0
    return Freshness(
      stored.fields, status: stored.status, requested: stored.provenance?.requested ?? date,
      received: stored.provenance?.received ?? date, now: now)
  }

  /// Section 4.3.1; nil without a validator.
  private static func condition(_ stored: Stored) -> [String: String]? {
    var fields: [String: String] = [:]
    if let tag = stored.fields["etag"] { fields["If-None-Match"] = FieldOctets.sentBack(tag) }
    if let date = stored.fields["last-modified"] { fields["If-Modified-Since"] = date }
    return fields.isEmpty ? nil : fields
  }

  /// True if a 304 confirms the stored response (section 4.3.4): one that names another version does not.
  package static func confirms(_ fields: CacheFields, _ stored: Stored) -> Bool {
    func bare(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
    if let tag = fields["etag"] { return stored.fields["etag"].map { bare($0) == bare(tag) } ?? false }
    guard stored.fields["etag"] == nil, let date = fields["last-modified"] else { return true }
    return stored.fields["last-modified"] == date
  }

  // MARK: - Storing

  /// A.9: only successes are stored; a part is no whole.
  private static func isStorable(_ status: Int) -> Bool { (200...299).contains(status) && status != 206 }

  /// The use of a response once it is stored.
  package enum Use: Hashable, Sendable {
    /// It may not be stored.
    case none
    /// It has neither a lifetime nor a validator: the protocol's policy never uses it, those that take what is stored at any
    /// age do. As in Apple's cache it is stored for them.
    case atAnyAge
    /// The protocol's policy may use it again, at least after asking the server.
    case again
  }

  /// True if the response may be stored (section 3), and what for. `length` is its body's, where known; a body whose end is
  /// only the connection's may be cut.
  package static func use(
    of status: Int, _ fields: CacheFields, for asked: Asked, isFramed: Bool, length: Int64?, limit: Int,
    now: Int64
  ) -> Use {
    guard asked.isPlainGET, asked.policy != .returnCacheDataDontLoad, isStorable(status), isFramed,
      (length ?? 0) <= Int64(limit), fields.selectors != nil, fields["content-range"] == nil,
      !asked.fields.directives.contains("no-store"), !fields.directives.contains("no-store")
    else { return .none }
    if isOfUseAgain(status, fields, now: now) { return .again }
    return status == 200 ? .atAnyAge : .none
  }

  /// True if a stored response of these fields has a lifetime or a validator.
  package static func isOfUseAgain(_ status: Int, _ fields: CacheFields, now: Int64) -> Bool {
    guard !fields.isEmpty else { return false }
    if fields["etag"] != nil || fields["last-modified"] != nil { return true }
    return Freshness(fields, status: status, requested: 0, received: 0, now: now).lifetime > 0
  }

  /// The largest body that a cache of these capacities takes, in bytes: one twentieth of the disk's, or of the memory's
  /// where there is no disk.
  package static func sizeLimit(memory: Int, disk: Int) -> Int { (disk > 0 ? disk : max(0, memory)) / 20 }

  /// Fields that a 304 does not change.
  private static let kept: Set<String> = [
    "content-encoding", "content-length", "content-range", "content-type", "connection", "keep-alive",
    "proxy-authenticate", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie",
  ]

  /// The stored fields brought up to date by a 304 (section 3.2): all of its own, but for those that describe a body it
  /// does not have and those of its connection.
  package static func merged(_ stored: [String: String], with fields: [String: String]) -> [String: String] {
    var merged = stored
    for (name, value) in fields {
      let lower = name.lowercased()
      guard !kept.contains(lower) else { continue }
      for old in merged.keys where old.lowercased() == lower { merged[old] = nil }
      merged[name] = value
    }
    return merged
  }

  /// The URLs whose stored responses a successful request with an unsafe method makes doubtful (section 4.4).
  package static func invalidated(method: String, url: URL, status: Int, fields: CacheFields) -> [URL] {
    guard !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method), (200...399).contains(status) else { return [] }
    let others = ["location", "content-location"].compactMap { fields[$0] }
      .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }
    return [url] + others.filter { RedirectRules.isSameOrigin($0, url) }
  }
}
