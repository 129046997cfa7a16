// SPDX-License-Identifier: Apache-2.0
import LessonKit

@testable import Lessons

extension Mistake {
  /// Threads that wait, and handlers where they should not be.
  static let waiting = [
    Mistake(
      "N1-02", in: 2, "a synchronous call on the main thread blocks the application", bad: "connection/main",
      cure: "session/main"
    ) { $0.result.mainThread.longestGap >= 1 },
    Mistake(
      "N1-03", in: 2, "it blocks whatever thread makes it", bad: "connection/main", cure: "connection/worker"
    ) { $0.result.mainThread.longestGap >= 1 },
    Mistake(
      "N1-02", in: 2, "waiting on main for a handler on main never ends", bad: "session/deadlock",
      cure: "session/semaphore"
    ) { $0.result.outcome.kind == .timedOut },
    Mistake(
      "N1-07", in: 3, "a handler on a new queue touches the screen off the main thread", bad: "connection/queue-new",
      cure: "connection/queue-new-hop"
    ) { $0.line("the label was called off the main thread") != nil },
    Mistake(
      "N3-24", in: 1, "data is parsed without a look at the error", bad: "session/unguarded-no-server",
      cure: "session/json-no-server"
    ) { $0.result.outcome.kind == .crashed },
    Mistake(
      "N1-10", in: 5, "progress is divided by a length that is unknown", bad: "connection/no-length-divided",
      cure: "connection/no-length"
    ) { $0.line("progress -") != nil },
  ]
}
