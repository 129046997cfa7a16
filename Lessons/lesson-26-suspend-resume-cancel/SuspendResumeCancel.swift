// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 26. No claim of the notes is left for it; the fifth shortcoming of N4 is counted in lesson 27.
enum SuspendResumeCancel {
  private static let slow = Example.Resource.body(divisor: 8, takes: .seconds(1))

  static let lesson: Lesson = .make(
    26, "suspend-resume-cancel", "Suspend, resume, cancel", minutes: 8,
    connection: [
      .connection("start-cancel", "start and cancel, no more", "StartAndCancel", loads: slow, run: StartAndCancel.run)
    ],
    session: [
      .session(
        "resumed", "suspended for a second, then resumed", "StatesOfATask", loads: slow, run: StatesOfATask.resumed),
      .session(
        "cancelled", "suspended, then cancelled", "StatesOfATask", loads: slow, endsAs: .failed,
        run: StatesOfATask.cancelled),
    ], claims: [])
}
