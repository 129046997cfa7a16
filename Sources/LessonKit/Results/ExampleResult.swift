// SPDX-License-Identifier: Apache-2.0

/// What one run of one example did, seen from outside of it.
public struct ExampleResult: Codable, Sendable, Hashable {
  /// The example's name in its lesson, such as `connection/delegate-main`.
  public var id: String
  /// What it shows, in half a line.
  public var title: String
  /// The column it belongs to.
  public var side: Side
  /// How it ended and what it received.
  public var outcome: Outcome
  /// What it cost in time.
  public var time: TimeUse
  /// What it cost in memory.
  public var memory: MemoryUse
  /// How many threads its process had, the workbench's own not counted.
  public var threads: ThreadCounts
  /// Every kind of callback, in the order of its first appearance.
  public var callbacks: [CallbackCount]
  /// How responsive the main thread stayed.
  public var mainThread: MainThread
  /// What the server saw of it.
  public var traffic: Traffic

  /// A result as given.
  public init(
    id: String, title: String = "", side: Side, outcome: Outcome, time: TimeUse = TimeUse(),
    memory: MemoryUse = MemoryUse(),
    threads: ThreadCounts = ThreadCounts(), callbacks: [CallbackCount] = [], mainThread: MainThread = MainThread(),
    traffic: Traffic = Traffic()
  ) {
    self.id = id
    self.title = title
    self.side = side
    self.outcome = outcome
    self.time = time
    self.memory = memory
    self.threads = threads
    self.callbacks = callbacks
    self.mainThread = mainThread
    self.traffic = traffic
  }
}

/// Seconds, and how often the process gave up the processor.
public struct TimeUse: Codable, Sendable, Hashable {
  /// Seconds from the example's start to its end.
  public var wall: Double
  /// Processor seconds of the example, user and system, the workbench's own instruments taken off.
  public var cpu: Double
  /// Voluntary context switches: how often a thread of the example slept and was woken.
  public var wakeups: Int

  /// Figures as given.
  public init(wall: Double = 0, cpu: Double = 0, wakeups: Int = 0) {
    self.wall = wall
    self.cpu = cpu
    self.wakeups = wakeups
  }
}

/// Resident memory in bytes.
public struct MemoryUse: Codable, Sendable, Hashable {
  /// Just before the example started, after everything lazy had been warmed up.
  public var baseline: Int
  /// The kernel's high-water mark, reset just before the start.
  public var peak: Int
  /// How far the peak lies above the baseline.
  public var growth: Int
  /// Samples of the resident memory over time, thinned out so that the highest of each stretch remains.
  public var curve: [CurvePoint]

  /// Figures as given.
  public init(baseline: Int = 0, peak: Int = 0, growth: Int = 0, curve: [CurvePoint] = []) {
    self.baseline = baseline
    self.peak = peak
    self.growth = growth
    self.curve = curve
  }
}

/// One sample; in JSON the pair `[seconds, bytes]`.
public struct CurvePoint: Codable, Sendable, Hashable {
  /// Seconds since the example's start.
  public var instant: Double
  /// Resident bytes.
  public var bytes: Int

  /// A point as given.
  public init(instant: Double, bytes: Int) {
    self.instant = instant
    self.bytes = bytes
  }

  /// Reads the pair.
  public init(from decoder: any Decoder) throws {
    var pair = try decoder.unkeyedContainer()
    instant = try pair.decode(Double.self)
    bytes = try pair.decode(Int.self)
  }

  /// Writes the pair.
  public func encode(to encoder: any Encoder) throws {
    var pair = encoder.unkeyedContainer()
    try pair.encode(instant)
    try pair.encode(bytes)
  }
}

/// Threads of the example's process.
public struct ThreadCounts: Codable, Sendable, Hashable {
  /// Just before the example started.
  public var before: Int
  /// The most that were seen at once.
  public var peak: Int
  /// After it had ended.
  public var after: Int

  /// Counts as given.
  public init(before: Int = 0, peak: Int = 0, after: Int = 0) {
    self.before = before
    self.peak = peak
    self.after = after
  }
}

/// How the main thread fared.
public struct MainThread: Codable, Sendable, Hashable {
  /// The longest time in seconds that the main run loop left a heartbeat unanswered.
  public var longestGap: Double

  /// A figure as given.
  public init(longestGap: Double = 0) {
    self.longestGap = longestGap
  }
}

/// What the lesson server saw of one example.
public struct Traffic: Codable, Sendable, Hashable {
  /// Requests that reached it.
  public var requests: Int
  /// Sockets they came on.
  public var sockets: Int
  /// Body bytes it sent.
  public var bytesSent: Int
  /// The Range headers, in order.
  public var ranges: [String]

  /// Figures as given.
  public init(requests: Int = 0, sockets: Int = 0, bytesSent: Int = 0, ranges: [String] = []) {
    self.requests = requests
    self.sockets = sockets
    self.bytesSent = bytesSent
    self.ranges = ranges
  }
}
