// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons
import Testing

/// A condition rests on an example of its own: without what that one shows, the verdict is not “qualified”.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ConditionTests {
  /// A claim, its lesson, and the example that shows the condition.
  private static let conditions = [
    ("N3-09", 25, "session/queue-busy"), ("N3-12", 5, "session/counted"), ("N3-12", 25, "session/counted"),
    ("N3-20", 5, "session/download-main-queue"), ("N3-22", 27, "connection/in-a-block-queue"),
    ("N4-10", 27, "connection/touched-queue"), ("N5-09", 10, "connection/worker-runs"),
    ("N5-14", 27, "session/resumed"),
  ]

  @Test(arguments: conditions)
  func `a claim is not qualified where its condition does not show`(_ id: String, _ number: Int, _ example: String)
    async throws
  {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    let claim = try #require(lesson.claims.first { $0.id == id })
    let results = try #require(try await LessonRuns.shared.run(number).results[lesson.id])
    var runs = try claim.needs.map { try results.first($0) }
    #expect(try claim.settle(RunResults(bodyBytes: results.bodyBytes, runs: runs)).verdict == .qualified)
    let index = try #require(runs.firstIndex { $0.result.id == example })
    (runs[index].recording.callbacks, runs[index].result.outcome.bytes) = ([], 0)
    for request in runs[index].result.requests.indices { runs[index].result.requests[request].ended = 0 }
    #expect(try claim.settle(RunResults(bodyBytes: results.bodyBytes, runs: runs)).verdict == .refuted)
  }
}
