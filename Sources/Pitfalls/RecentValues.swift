// SPDX-License-Identifier: Apache-2.0

/// Values by their keys, of which only the newest keys are kept: a program may have any number of addresses.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private static var limit: Int { 4096 }

  private var values: [Key: Value] = [:]
  /// The keys in the order of their coming, in a ring once there are `limit` of them.
  private var keys: [Key] = []
  private var oldest = 0

  var all: some Collection<Value> { values.values }

  subscript(key: Key) -> Value? { values[key] }

  mutating func set(_ value: Value, for key: Key) {
    guard values.updateValue(value, forKey: key) == nil else { return }
    guard keys.count == Self.limit else { return keys.append(key) }
    values[keys[oldest]] = nil
    keys[oldest] = key
    oldest = (oldest + 1) % Self.limit
  }
}
