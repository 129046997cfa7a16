// SPDX-License-Identifier: Apache-2.0
public import Pitfalls

/// The result of one run of one example, seen from outside of it.
public struct ExampleResult: Codable, Sendable, Hashable {
  /// The example's name in its lesson, such as `connection/delegate-main`.
  public var id: String
  /// Its title: what it shows, in half a line of English; a catalogue has its translation.
  public var title: String
  /// The column it belongs to.
  public var side: Side
  /// How its job ended and what it received.
  public var outcome: Outcome
  /// The product it made, compared with a reference; nil where there is none to compare with.
  public var product: ProductResult?
  /// How each of its loads ended, in the order of their first events.
  public var loads: [LoadResult] = []
  /// Its cost in time.
  public var time: TimeUse
  /// Its cost in memory.
  public var memory: MemoryUse
  /// How many threads its process had.
  public var threads: ThreadCounts
  /// Every kind of callback, in the order of its first appearance.
  public var callbacks: [CallbackCount]
  /// True if its callbacks could be seen. Nil for the two APIs of the package, which tell of each.
  public var seesCallbacks: Bool?
  /// True if its callbacks could not be observed, so that their counts say nothing.
  public var hidesCallbacks: Bool { seesCallbacks == false }
  /// When callbacks came, thinned out where very many did.
  public var ticks: [CallbackTick] = []
  /// The bytes that callbacks gave, by time; nil where none did, and in reports of former versions.
  public var flow: ByteFlow?
  /// The bytes that the server sent, by time; nil where it sent none, and in reports of former versions.
  public var sent: ByteFlow?
  /// How responsive the main thread stayed.
  public var mainThread: MainThread
  /// The events that happened to the program while it ran.
  public var happenings = Happenings()
  /// The program's output, line by line, 64 KiB at most.
  public var printed: [ProgramLine] = []
  /// The pitfalls it fell into, the worst first; nil where they were not looked for, and in reports of former versions.
  public var pitfalls: [PitfallSeen]?
  /// The traffic that the server saw of it, summed up.
  public var traffic: Traffic
  /// The requests that the server saw of it, one by one.
  public var requests: [RequestSeen] = []

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

  /// The same with times to ten nanoseconds, which is finer than any text shows them.
  var rounded: TimeUse {
    TimeUse(wall: (wall * 1e8).rounded() / 1e8, cpu: (cpu * 1e8).rounded() / 1e8, wakeups: wakeups)
  }
}

/// Threads of the program: those of the instruments and of the library's transport are not counted.
public struct ThreadCounts: Codable, Sendable, Hashable {
  /// Just before the example started.
  public var before: Int
  /// The most that were seen at once.
  public var peak: Int
  /// After it had ended.
  public var after: Int
  /// The most threads that the library's transport had at once.
  public var library: Int

  /// Counts as given.
  public init(before: Int = 0, peak: Int = 0, after: Int = 0, library: Int = 0) {
    self.before = before
    self.peak = peak
    self.after = after
    self.library = library
  }
}

/// How the main thread fared.
public struct MainThread: Codable, Sendable, Hashable {
  /// The longest time in seconds that the main run loop left a heartbeat unanswered.
  public var longestGap: Double
  /// The stretches of 20 ms and more in which it left one unanswered.
  public var gaps: [Circumstances.Stretch]

  /// A figure as given.
  public init(longestGap: Double = 0, gaps: [Circumstances.Stretch] = []) {
    self.longestGap = longestGap
    self.gaps = gaps
  }
}

/// The events that happened to the program from outside while it ran.
public struct Happenings: Codable, Sendable, Hashable {
  /// The person's touch, in which the main loop ran in the tracking mode, nil when there was none.
  public var touch: Touch?
  /// When the whole process was stopped and continued, nil when it was not.
  public var stop: Circumstances.Stretch?

  /// Happenings as given.
  public init(touch: Touch? = nil, stop: Circumstances.Stretch? = nil) {
    self.touch = touch
    self.stop = stop
  }
}

/// The traffic that the lesson server saw of one example, summed up.
public struct Traffic: Codable, Sendable, Hashable {
  /// Requests that reached it.
  public var requests: Int
  /// Sockets they came on.
  public var sockets: Int
  /// Bytes it sent in answer, heads included.
  public var bytesSent: Int
  /// Body bytes it received.
  public var bytesReceived: Int
  /// The Range headers, in order.
  public var ranges: [String]

  /// Figures as given.
  public init(
    requests: Int = 0, sockets: Int = 0, bytesSent: Int = 0, bytesReceived: Int = 0, ranges: [String] = []
  ) {
    self.requests = requests
    self.sockets = sockets
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.ranges = ranges
  }
}
