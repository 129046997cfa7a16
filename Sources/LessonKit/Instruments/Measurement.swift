// SPDX-License-Identifier: Apache-2.0

/// The child's message to its parent once everything is warm and the example is about to start.
struct Preparation: Codable, Sendable, Hashable {
  /// Resident bytes.
  var baseline: Int
  /// Threads, the instruments' own not counted.
  var threads: Int
  /// The usage that the kernel has counted so far; it is taken off the child's total.
  var usage: ProcessUsage
  /// The start on CLOCK_MONOTONIC in seconds, which is the clock of the server's log.
  var started: Double
}

/// The child's message to its parent about the example it ran.
struct Measurement: Codable, Sendable, Hashable {
  /// True if the program came to its end; false when the time limit cut it short.
  var hasEnded: Bool
  /// Seconds from start to end.
  var wall: Double
  /// The usage that the kernel had counted for the process at the end.
  var usage: ProcessUsage
  /// The part of it that belongs to the instruments.
  var instruments: ProcessUsage
  /// The kernel's high-water mark in bytes.
  var peak: Int
  /// Samples over time.
  var curve: [CurvePoint]
  /// The most threads seen at once, and those at the end; the instruments' own not counted.
  var peakThreads: Int
  var threadsAfter: Int
  /// The most threads of the library's own.
  var libraryThreads: Int
  /// Seconds.
  var longestGap: Double
  /// The longest time by which the instruments' thread came late, in seconds.
  var latest = 0.0
  /// The stretches in which the main loop did not answer.
  var gaps: [Circumstances.Stretch]
  /// The recording of the timeline.
  var recording: Recording
}

/// One line from the child to the parent.
enum ChildMessage: Codable, Sendable {
  /// The program is not started, for the kernel does not enter this limit.
  case refused(String)
  case prepared(Preparation)
  case measured(Measurement)
}
