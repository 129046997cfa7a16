// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

/// How long an example may take.
@Suite struct RunLimitTests {
  private static let session = Example("session/a", .session, "", file: "A.swift") { _ in }
  private static let foundation = session.substituted(by: "/program", program: "session/a")

  private func limit(
    of example: Example = foundation, twin kind: Outcome.Kind? = .finished, walls: [Double] = [0.1],
    patience: Duration? = .seconds(15)
  ) -> Duration {
    var options = RunOptions(timeout: .seconds(30))
    options.patience = patience
    let results = kind.map { kind in
      walls.map {
        ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: kind), time: TimeUse(wall: $0))
      }
    }
    let other = ExampleResult(id: "session/b", side: .session, outcome: Outcome(kind: .finished))
    return options.limit(of: example, after: [other] + (results ?? []))
  }

  @Test func `what the toolchain's example may take is measured by its twin`() {
    #expect(limit() == .seconds(15))
    #expect(limit(walls: [2.5]) == .seconds(25))
    // Of several runs the slowest counts, and the limit of all examples holds.
    #expect(limit(walls: [0.1, 2, 0.5]) == .seconds(20))
    #expect(limit(walls: [12]) == .seconds(30))
  }

  @Test(arguments: [Outcome.Kind.timedOut, .crashed, nil])
  func `a twin that has not ended says nothing about it`(_ kind: Outcome.Kind?) {
    #expect(limit(twin: kind) == .seconds(30))
  }

  @Test func `a person's own limit holds for all, and so does an example's`() {
    #expect(limit(patience: nil) == .seconds(30))
    #expect(limit(of: Self.session) == .seconds(30))
    #expect(limit(of: Self.foundation.limited(to: .seconds(2))) == .seconds(2))
  }
}
