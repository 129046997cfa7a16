// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Reports
import Testing

/// Stored runs and the pages that they must look like. `RECORD_SNAPSHOTS=1 Scripts/package test` writes the pages anew.
enum Golden {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
  private static let lessons = folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Lessons")

  /// The lessons whose runs are stored: callbacks, a touch, and requests.
  static let runs = ["lesson-05", "lesson-09", "lesson-22"]

  static func report(_ name: String) throws -> RunReport {
    try JSONReport.run(from: Data(contentsOf: folder.appendingPathComponent("\(name).json")), named: name)
  }

  static func style(
    _ width: Int, _ language: Language = .english, isColored: Bool = false, isASCII: Bool = false
  ) throws -> TextStyle {
    TextStyle(
      width: width, isColored: isColored, isASCII: isASCII, catalogue: try StringCatalogue(language, root: lessons))
  }

  /// A page with the texts and programs of the course.
  static func setting(_ language: Language) throws -> HTMLReport.Setting {
    let texts = LessonText(root: lessons)
    let catalogue = try StringCatalogue(language, root: lessons)
    return HTMLReport.Setting(catalogue: catalogue) { id in
      guard let lesson = Course.catalog.lessons.first(where: { $0.id == id }) else { return nil }
      return LessonMaterial(
        markdown: try texts.text(of: lesson, in: language), files: try SourcePage.files(of: lesson, texts),
        prediction: lesson.prediction
      ) { try? texts.excerpt($0, in: lesson) }
    }
  }

  static func compare(_ text: String, with name: String) throws {
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" { try Data(text.utf8).write(to: file) }
    let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(text == golden, "\(name) differs; RECORD_SNAPSHOTS=1 rewrites it")
  }

  /// The columns that a line takes on a terminal.
  static func columns(_ line: some StringProtocol) -> Int {
    line.unicodeScalars.reduce(0) { sum, scalar in
      let isWide = (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xFF60).contains(scalar.value)
      return sum + (isWide ? 2 : 1)
    }
  }
}
