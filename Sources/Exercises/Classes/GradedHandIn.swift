// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// A hand-in with what was found about it.
public struct GradedHandIn: Sendable, Hashable {
  /// The name by which the hand-in is known.
  public let name: String
  /// The student's id where a learning platform has put it into the name.
  public let student: String?
  /// True if the platform says that it came late.
  public let isLate: Bool
  /// The report on it, nil where it was not graded.
  public let report: GradeReport?
  /// What is to be said of how its files were found; empty where there is nothing.
  public let remark: Phrase
  /// Why nobody knows whose it is, or which of several counts; empty where nothing is in doubt.
  var doubt: Phrase
  /// The folders in which its files lie.
  private let folders: [String]
  private let platform: LearningPlatform?

  /// A hand-in with its report.
  public init(_ handIn: HandIn, _ report: GradeReport?) {
    (name, student, self.report) = (handIn.name, handIn.student, report)
    (isLate, remark, doubt, platform) = (handIn.isLate, handIn.remark, handIn.doubt, handIn.platform)
    folders = handIn.places.map { $0.deletingLastPathComponent().path + "/" }
  }

  /// The name as a terminal, a page or a table may show it: a student chooses it.
  public var printable: String { FileNames.printable(name) }

  // MARK: - The grade

  /// The report where a grade may rest on it, and nil where a person has to decide, or where there is none. Nothing else
  /// decides whether a hand-in has a grade.
  public var graded: GradeReport? {
    guard doubt.isEmpty, let report, report.exercises.allSatisfy(\.outcome.isDecided) else { return nil }
    return report
  }

  /// Why a person has to look at it; empty where it has a grade or was not graded.
  public var question: Phrase {
    let open = report?.exercises.filter { $0.outcome == .undecided } ?? []
    let several = (report?.exercises.count ?? 0) > 1
    let reasons: [Phrase] = open.map { several ? "\($0.id): \($0.why)" : $0.why }
    return ((doubt.isEmpty ? [] : [doubt]) + reasons).joined("; ")
  }

  // MARK: - Files about it

  /// Where its page lies below the folder of all of them: for Moodle in the folder of the student, as its upload of feedback
  /// files wants it.
  public var page: String {
    guard platform == .moodle, student != nil else { return FileNames.file(name, "html") }
    return MoodleFileName.feedbackFolder(name) + "/feedback.html"
  }

  /// A text about the hand-in, such as the compiler's, without the folders of the machine that graded it.
  public func withoutFolders(_ text: String) -> String {
    folders.reduce(text) { $0.replacing($1, with: "") }
      .replacing(#/[^\s“]*\/workbench-hand-in-[-0-9A-F]+\/(copy-)?[0-9]+\//#, with: "")
  }
}
