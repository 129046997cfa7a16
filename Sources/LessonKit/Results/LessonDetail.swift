// SPDX-License-Identifier: Apache-2.0

/// A detail that a report shows of every example of a lesson without being asked.
public enum LessonDetail: String, Codable, Sendable, Hashable, CaseIterable {
  /// Threads, the main loop's silence, memory and what happened to the program, over one time axis.
  case timeline
  /// Resident memory.
  case memory
  /// How many threads the program had.
  case threads
  /// Every kind of callback, with thread, queue and run-loop mode.
  case callbacks
  /// How each load ended.
  case loads
  /// The requests that the server saw, one by one.
  case requests
  /// The lines that the program printed.
  case printed
}
