// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons
import Pitfalls
import Testing

@testable import Reports

/// Every lesson, run as a person runs it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LessonClaimsTests {
  @Test(arguments: Course.catalog.lessons.map(\.number))
  func `each claim, each further check and each example comes out as expected`(_ number: Int) async throws {
    let run = try await LessonRuns.shared.run(number)
    #expect(run.surprises == [])
    for claim in run.report.lessons.flatMap({ $0.claims + $0.checks }) {
      #expect(claim.verdict == claim.expected, "\(claim.id): \(claim.findings)")
      #expect(
        !claim.findings.isEmpty && claim.findings.allSatisfy { !$0.measured.isEmpty },
        "\(claim.id) shows a figure beside a bound")
    }
    for example in try Course.catalog.lesson(named: "\(number)").examples {
      let found = try #require(run.results.values.first?.anyEnd(of: example.id)).result.pitfalls ?? []
      let names = Pitfall.allCases.filter(Set(found.map(\.pitfall)).contains)
      #expect(names == example.pitfalls, "\(example.id): \(found)")
    }
    let subject = try #require(run.report.lessons.first.flatMap(SubjectWords.init))
    #expect(Set(subject.parts.map(\.figure)).count == 2, "\(subject.phrase)")
    #expect(run.report.lessons.flatMap(\.claims).count == ClaimTable.rows(ofLesson: number).count)
  }
}
