// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LessonKit
import Lessons
import Reports

/// `workbench figures`, for those who write lessons: Scripts/figures calls it.
struct FiguresCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures", abstract: "Write the figures of a run into the lessons' texts.",
    discussion: """
      Example:
        workbench run --all --json > report.json
        workbench figures report.json
      """, shouldDisplay: false)

  @Argument(help: "What `workbench run --json` printed.") var report: String

  func run() async throws {
    try await ExitStatus.guarding {
      let report = try JSONReport.run(from: InputFile.contents(report), named: report)
      let texts = LessonText()
      var record = try texts.record()
      record.take(report)
      try texts.write(JSONReport.stored(record, levels: 4), to: LessonText.recordFile)
      for result in report.lessons {
        let lesson = try Course.catalog.lesson(named: result.id)
        guard let figures = record.lessons[lesson.id] else { continue }
        for language in Language.allCases {
          let text = try texts.text(of: lesson, in: language)
          try texts.write(FigureTable(figures, in: language).filledIn(text), of: lesson, in: language)
        }
        Terminal.tell("workbench: \(lesson.id) shows the figures of this run")
      }
    }
  }
}
