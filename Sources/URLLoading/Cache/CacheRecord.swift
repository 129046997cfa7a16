// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

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

  /// Digests of what a request says in these fields; a field that it lacks has one, too.
  static func digests(of request: CacheFields, for names: [String]) -> [String: UInt64] {
    var digests: [String: UInt64] = [:]
    for name in names { digests[name] = request[name].map { digest(Data($0.utf8)) } ?? 0 }
    return digests
  }

  /// A digest of a response, its body and the rest of this record, with which damage to either is found.
  func digest(of cached: CachedURLResponse) -> UInt64 {
    var lines = ["\(requested) \(received)"] + selectors.map { "\($0) \($1)" }.sorted()
    if let response = cached.response as? HTTPURLResponse {
      lines.append("\(response.statusCode) \(response.url?.absoluteString ?? "")")
      lines += response.fields.map { "\($0): \($1)" }.sorted()
    }
    return Self.digest(cached.data, after: Self.digest(Data(lines.joined(separator: "\n").utf8)))
  }

  /// FNV-1a with 64 bits: it finds damage, and no secret can be read out of it. `after`: the digest of the bytes before.
  static func digest(_ bytes: Data, after: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash = after
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return hash
    }
  }
}
