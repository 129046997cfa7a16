// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// What we must know of a stored response beside what the toolchain's cache keeps: which request it answered, when, and
/// that it is the one that was stored.
struct CacheRecord: Hashable, Sendable, Codable {
  /// Under which a record stands in the `userInfo` of a `CachedURLResponse`, as a JSON text.
  static let key = "workbench.cache"

  /// Seconds since 1970 when the request went out and when the response's head arrived.
  var requested: Int64
  var received: Int64
  /// For each name in Vary a digest of the request's value; values themselves may be secrets.
  var selectors: [String: UInt64]
  /// Of all that is stored; see `digest(of:)`.
  var digest: UInt64

  init(requested: Int64, received: Int64, selectors: [String: UInt64], digest: UInt64) {
    (self.requested, self.received, self.selectors, self.digest) = (requested, received, selectors, digest)
  }

  /// The same, as the rules see it.
  var provenance: CacheRules.Provenance {
    CacheRules.Provenance(requested: requested, received: received, selectors: selectors)
  }

  /// The record in a stored response; nil where a program stored it or something is wrong with it.
  init?(userInfo: [AnyHashable: Any]?) {
    guard let text = userInfo?[Self.key] as? String,
      let record = try? JSONDecoder().decode(CacheRecord.self, from: Data(text.utf8))
    else { return nil }
    self = record
  }

  /// What a program put there, with the record added.
  func added(to userInfo: [AnyHashable: Any]?) -> [AnyHashable: Any] {
    var userInfo = userInfo ?? [:]
    if let data = try? JSONEncoder().encode(self) { userInfo[Self.key] = String(decoding: data, as: UTF8.self) }
    return userInfo
  }

  /// A digest of a response, its body and the rest of this record, with which damage to either is found.
  func digest(of cached: CachedURLResponse) -> UInt64 {
    var lines = ["\(requested) \(received)"] + selectors.map { "\($0) \($1)" }.sorted()
    if let response = cached.response as? HTTPURLResponse {
      lines.append("\(response.statusCode) \(response.url?.absoluteString ?? "")")
      lines += response.fields.map { "\($0): \($1)" }.sorted()
    }
    return DamageDigest.of(cached.data, after: DamageDigest.of(Data(lines.joined(separator: "\n").utf8)))
  }
}
