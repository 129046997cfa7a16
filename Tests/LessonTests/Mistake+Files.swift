// SPDX-License-Identifier: Apache-2.0
import LessonKit

@testable import Lessons

extension Mistake {
  private static func hoards(_ run: ExampleRun) -> Bool {
    run.result.memory.growth >= LessonRuns.bodyBytes * 9 / 10
  }

  private static func spoils(_ run: ExampleRun) -> Bool { run.files.count { $0.isBody } != 1 }

  /// Bodies in memory and in files.
  static let files = [
    Mistake(
      "N1-09", in: 4, "one write at the end needs the whole body in memory", bad: "connection/one-write",
      cure: "session/download", shows: hoards),
    Mistake(
      "N1-20", in: 7, "the handle for a missing file is nil", bad: "connection/missing-file",
      cure: "connection/one-handle"
    ) { $0.line("the handle is ")?.text.hasSuffix("nil") == true },
    Mistake(
      "N1-22", in: 7, "an old file keeps its content in front", bad: "connection/old-file",
      cure: "connection/one-handle", shows: spoils),
    Mistake(
      "N4-09", in: 7, "a handle on a missing file writes nothing", bad: "connection/missing-file",
      cure: "connection/one-handle", shows: spoils),
    Mistake(
      "N4-11", in: 7, "an old file that is not removed spoils the new one", bad: "connection/old-file",
      cure: "connection/handle-per-piece", shows: spoils),
    Mistake(
      "N1-23", in: 8, "a stream that was never opened takes nothing", bad: "connection/never-opened",
      cure: "connection/stream", shows: spoils),
    Mistake(
      "N1-23", in: 8, "what a short write left is lost", bad: "connection/short-writes",
      cure: "connection/short-writes-continued", shows: spoils),
    Mistake(
      "N3-19", in: 8, "the temporary file is gone unless it is moved", bad: "session/forgotten", cure: "session/moved",
      shows: spoils),
  ]
}
