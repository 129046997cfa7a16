// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A hand-in with what was found about it.
public struct GradedHandIn: Sendable, Hashable {
  /// The name by which the hand-in is known.
  public let name: String
  /// The student's id where a learning platform has put it into the name.
  public let student: String?
  /// The report on it, nil where it was not graded.
  public let report: GradeReport?
  /// The folders in which its files lie.
  private let folders: [String]

  /// A hand-in with its report.
  public init(_ handIn: HandIn, _ report: GradeReport?) {
    (name, student, self.report) = (handIn.name, handIn.student, report)
    folders = handIn.places.map { $0.deletingLastPathComponent().path + "/" }
  }

  /// The name as a terminal, a page or a table may show it: a student chooses it.
  public var printable: String { FileNames.printable(name) }

  /// A text about the hand-in, such as the compiler's, without the folders of the machine that graded it.
  public func withoutFolders(_ text: String) -> String {
    folders.reduce(text) { $0.replacing($1, with: "") }
      .replacing(#/[^\s“]*\/workbench-hand-in-[-0-9A-F]+\/[0-9]+\//#, with: "")
  }
}
