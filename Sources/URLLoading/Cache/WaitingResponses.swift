// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// A whole response, of which the toolchain's form is made when it is stored.
struct ResponseToStore: Sendable {
  let url: URL
  let head: ResponseHead
  let record: CacheRecord
  let body: Data

  /// As a delegate sees it and the cache takes it; nil where it cannot be represented.
  func cached(_ policy: URLCache.StoragePolicy) -> CachedURLResponse? {
    LoadedResponse(head, url: url).map { CachedURLResponse(response: $0, data: body, storagePolicy: policy) }
  }
}

/// Responses that wait to be stored, of each URL the last one. Pure.
///
/// Storing takes longer than a small load. A program that asks a server again and again has the first response stored at once,
/// and of those that follow the last one of each tenth of a second.
struct WaitingResponses {
  /// Between two turns of storing.
  static let pause = Duration.milliseconds(100)
  /// Bodies that may wait, in bytes and in number; more are not stored.
  static let byteLimit = 4 << 20
  static let countLimit = 512

  private var responses: [String: ResponseToStore] = [:]
  private var bytes = 0
  private var lastTurn: ContinuousClock.Instant?
  private var nextTurn: ContinuousClock.Instant?

  /// Takes a response. Returns after which time those that wait are to be stored; nil where that is scheduled.
  mutating func add(_ response: ResponseToStore, _ key: String, now: ContinuousClock.Instant) -> Duration? {
    if let old = responses.updateValue(response, forKey: key) { bytes -= old.body.count }
    bytes += response.body.count
    guard bytes <= Self.byteLimit, responses.count <= Self.countLimit else {
      drop(key)
      return nil
    }
    // A turn that is long overdue was given up with whatever should have taken it.
    if let nextTurn, now < nextTurn + Self.pause { return nil }
    let turn = max(now, lastTurn.map { $0 + Self.pause } ?? now)
    nextTurn = turn
    return turn - now
  }

  /// Takes out the one of this URL, or any for nil; nil when there is none.
  mutating func take(_ key: String? = nil) -> ResponseToStore? {
    guard let key = key ?? responses.keys.first, let response = responses[key] else { return nil }
    drop(key)
    return response
  }

  /// A turn is over. True when some are left for another one, after the pause.
  mutating func turnEnded(now: ContinuousClock.Instant) -> Bool {
    lastTurn = now
    nextTurn = responses.isEmpty ? nil : now + Self.pause
    return !responses.isEmpty
  }

  mutating func drop(_ key: String) {
    if let old = responses.removeValue(forKey: key) { bytes -= old.body.count }
  }

  mutating func dropAll() {
    guard !responses.isEmpty else { return }
    (responses, bytes) = ([:], 0)
  }
}
