// SPDX-License-Identifier: Apache-2.0

/// Callbacks of one kind on one thread, close to one another in time; in JSON the four numbers
/// `[seconds, callback, thread, count]`.
public struct CallbackTick: Codable, Sendable, Hashable {
  /// When the first of them came, in seconds since the example's start.
  public var instant: Double
  /// Their kind: an index into the result's `callbacks`.
  public var callback: Int
  /// The number of their thread.
  public var thread: Int
  /// How many they are.
  public var count: Int

  /// A tick as given.
  public init(instant: Double, callback: Int, thread: Int, count: Int = 1) {
    self.instant = instant
    self.callback = callback
    self.thread = thread
    self.count = count
  }

  /// Reads the four numbers.
  public init(from decoder: any Decoder) throws {
    var numbers = try decoder.unkeyedContainer()
    instant = try numbers.decode(Double.self)
    callback = try numbers.decode(Int.self)
    thread = try numbers.decode(Int.self)
    count = try numbers.decode(Int.self)
  }

  /// Writes the four numbers.
  public func encode(to encoder: any Encoder) throws {
    var numbers = encoder.unkeyedContainer()
    try numbers.encode(instant)
    try numbers.encode(callback)
    try numbers.encode(thread)
    try numbers.encode(count)
  }
}

/// Keeps ticks in a bounded space: when it is full, ticks of one kind and thread that lie close together become one, and
/// "close" doubles.
struct TickKeeper {
  private static let capacity = 2048
  private(set) var ticks: [CallbackTick] = []
  private var closeness = 0.00005

  init() {
    ticks.reserveCapacity(Self.capacity)
  }

  /// Takes a callback in. Instants need not be in order: threads may pass one another.
  mutating func add(_ instant: Double, callback: Int, thread: Int, count: Int = 1) {
    if let last = ticks.indices.last, isOne(ticks[last], with: instant, callback, thread) {
      ticks[last].count += count
      return
    }
    if ticks.count == Self.capacity { thin() }
    ticks.append(CallbackTick(instant: instant, callback: callback, thread: thread, count: count))
  }

  private func isOne(_ tick: CallbackTick, with instant: Double, _ callback: Int, _ thread: Int) -> Bool {
    tick.callback == callback && tick.thread == thread && abs(instant - tick.instant) < closeness
  }

  private mutating func thin() {
    while ticks.count > Self.capacity / 2, closeness < 1e5 {
      closeness *= 2
      var last: [[Int]: Int] = [:]
      var kept = 0
      for tick in ticks {
        let kind = [tick.callback, tick.thread]
        if let before = last[kind], isOne(ticks[before], with: tick.instant, tick.callback, tick.thread) {
          ticks[before].count += tick.count
        } else {
          ticks[kept] = tick
          last[kind] = kept
          kept += 1
        }
      }
      ticks.removeSubrange(kept...)
    }
  }
}
