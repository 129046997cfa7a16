// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 21.
enum SuspendedProcess {
  /// The server takes a second; after 0.3 s the whole process is stopped.
  private static let slow = Example.Resource.body(divisor: 64, takes: .seconds(1))

  static let lesson: Lesson = .make(
    21, "suspended-process", "A process that is suspended", minutes: 10,
    connection: [
      .connection(
        "short", "stopped for less than the time-out", "LoadInBackground", loads: slow, run: LoadInBackground.run
      )
      .stopped(after: 0.3, for: 1),
      .connection(
        "long", "stopped for more than the time-out", "LoadInBackground", loads: slow, run: LoadInBackground.run
      )
      .stopped(after: 0.3, for: 3),
      .connection(
        "silent", "stopped for more than the time-out; the server says no more", "LoadInBackground",
        loads: .path("/never"), endsAs: .failed, run: LoadInBackground.run
      ).stopped(after: 0.3, for: 3),
    ],
    session: [
      .session(
        "short", "stopped for less than the time-out", "TaskInBackground", loads: slow, run: TaskInBackground.run
      )
      .stopped(after: 0.3, for: 1),
      .session("long", "stopped for more than the time-out", "TaskInBackground", loads: slow, run: TaskInBackground.run)
        .stopped(after: 0.3, for: 3),
      .session(
        "silent", "stopped for more than the time-out; the server says no more", "TaskInBackground",
        loads: .path("/never"), endsAs: .failed, run: TaskInBackground.run
      ).stopped(after: 0.3, for: 3),
    ],
    claims: [claim("N2-16"), claim("N4-15")])

  private static let examples = ["connection/short", "connection/long", "connection/silent"]

  /// Two notes say it: nothing goes on while the process does not run.
  private static func claim(_ id: String) -> Claim {
    Claim(id, needs: examples, because: why) { results, findings in
      for run in try examples.map({ try results.first($0) }) {
        guard let stop = run.stop, let end = run.endInstant else {
          throw LessonKitError(.notMeasured, "\(run.result.id) was not stopped, or never ended")
        }
        let wait = end - stop.ended
        let during = run.recording.callbacks.count { stop.contains($0.first) || stop.contains($0.last) }
        let outcome = run.result.outcome.error?.name ?? "\(run.result.outcome.bytes) bytes"
        findings.note(
          "\(run.name): stopped for \(Words.seconds(stop.ended - stop.began)), \(during) callbacks meanwhile; "
            + "\(Words.milliseconds(wait)) after its return \(outcome)",
          "0 meanwhile; then at once, within a fifth of the stop",
          during == 0 && wait >= 0 && wait < (stop.ended - stop.began) / 5)
      }
    }
  }

  private static let why =
    "Whatever the server sent meanwhile lies in the system's buffers and comes at once, also when "
    + "more than the time-out has passed. Only where nothing came is the time-out reported. Here nobody goes on for the "
    + "program, as a background session does on Apple's systems."
}
