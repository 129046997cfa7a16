// SPDX-License-Identifier: Apache-2.0

/// Everything the parent knows about one child once it has ended.
struct ChildReport: Sendable, Hashable {
  /// How the process ended.
  enum End: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)
  }

  /// How the process ended.
  var end: End
  /// True if the parent had to end it because its time was over.
  var limitHit = false
  /// Seconds from spawn to end.
  var wall: Double = 0
  /// The usage that the kernel counted, nil when it did not say.
  var usage: ProcessUsage?
  /// The child's preparation as told before the start, nil when it did not come that far.
  var preparation: Preparation?
  /// The measurement of the child, nil when it ended before it could tell.
  var measurement: Measurement?
  /// The limit that the kernel did not enter, and why; nil where the program was started.
  var refusal: String?
  /// True if the program wrote into the pipe of the results.
  var isForged = false
  /// The limit for which the parent ended it, nil when there was no need.
  var exceeded: ProgramLimits.Kind?
  /// The most resident bytes that the parent saw while the program ran; 0 where it did not look.
  var residentPeak = 0
  /// When it was stopped and continued, on CLOCK_MONOTONIC in seconds.
  var stop: Circumstances.Stretch?
  /// How far other work kept the machine from it.
  var disturbance = Disturbance()
  /// The last lines that the process printed.
  var printed: [String] = []
  /// Where the program ended itself in error; nil where it did not, or nobody knows the place.
  var trap: TrapPlace?
}
