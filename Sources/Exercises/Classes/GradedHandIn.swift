// SPDX-License-Identifier: Apache-2.0

/// A hand-in with what was found about it.
public struct GradedHandIn: Sendable, Hashable {
  /// The name by which the hand-in is known.
  public let name: String
  /// The student's id where a learning platform has put it into the name.
  public let student: String?
  /// What was found, nil where it was not graded.
  public let report: GradeReport?

  /// A hand-in with its report.
  public init(_ handIn: HandIn, _ report: GradeReport?) {
    (name, student, self.report) = (handIn.name, handIn.student, report)
  }

  /// The name as a terminal, a page or a table may show it: a student chooses it.
  public var printable: String { FileNames.printable(name) }
}
