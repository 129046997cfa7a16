// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What we must know of a stored response beside what the toolchain's cache keeps: which request it answered, when, and
/// that its body is the one that was stored.
struct CacheRecord: Hashable, Sendable, Codable {
  /// Under which a record stands in the `userInfo` of a `CachedURLResponse`, as a JSON text.
  static let key = "workbench.cache"

  /// Seconds since 1970 when the request went out and when the response's head came.
  var requested: Int64
  var received: Int64
  /// For each name in Vary a digest of the request's value; values themselves may be secrets.
  var selectors: [String: UInt64]
  /// Of the body.
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

  /// FNV-1a with 64 bits: it finds damage, and no secret can be read out of it.
  static func digest(_ bytes: Data) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return hash
    }
  }
}
