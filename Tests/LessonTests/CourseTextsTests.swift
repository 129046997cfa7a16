// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

/// The plan of the course and the glossary, in both languages.
@Suite struct CourseTextsTests {
  @Test(arguments: ["course.md", "course.zh-Hans.md"])
  func `the plan has every lesson's minutes, and the sums`(file: String) throws {
    let text = try text(of: file)
    let lessons = Course.catalog.lessons
    for lesson in lessons {
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("| \(lesson.id.suffix(2)) |") }
      #expect(!rows.isEmpty && rows.allSatisfy { $0.contains(" | \(lesson.minutes) | ") }, "\(lesson.id)")
    }
    #expect(text.contains(" \(lessons.reduce(0) { $0 + $1.minutes }) "))
  }

  @Test func `six lessons are planned for 90 minutes`() throws {
    let part = try text(of: "course.md").components(separatedBy: "\n## ")[1]
    let lessons = Course.catalog.lessons.filter { part.contains("\n| \($0.id.suffix(2)) |") }
    #expect(lessons.count == 6)
    let minutes = lessons.reduce(0) { $0 + $1.minutes }
    #expect(minutes <= 90 && part.contains("take \(minutes) minutes"))
  }

  @Test(arguments: [".md", ".zh-Hans.md"])
  func `README and the text about use have each lesson, each note, and how many claims there are`(ending: String) throws
  {
    let (readme, use) = (try text(of: "../README" + ending), try text(of: "using" + ending))
    for lesson in Course.catalog.lessons {
      #expect(use.contains("\n| \(lesson.id.suffix(2)) | `\(lesson.slug)`"), "\(lesson.id)")
    }
    #expect(use.contains("\(ClaimTable.counted(ClaimTable.rows.map(\.id)).count)"))
    for (note, title) in ClaimTable.notes {
      let end = "| \(ClaimTable.rows.count { $0.note == note }) |"
      #expect(
        readme.split(separator: "\n").contains { $0.hasPrefix("| \(note) | \(title)") && $0.hasSuffix(end) }, "\(note)")
    }
    #expect(readme.contains("\(ClaimTable.rows.count)"))
  }

  @Test func `both glossaries have the same words in the same order`() throws {
    let english = try headings(of: "glossary.md")
    let chinese = try headings(of: "glossary.zh-Hans.md")
    #expect(english.count == chinese.count && english.count > 30)
    for (word, heading) in zip(english, chinese) {
      #expect(heading.hasPrefix(word + " ") && heading.count > word.count + 1, "\(word)")
    }
    #expect(english.map { $0.lowercased() } == english.map { $0.lowercased() }.sorted())
  }

  @Test(arguments: ["glossary.md", "glossary.zh-Hans.md"])
  func `every word of a glossary is explained`(file: String) throws {
    let entries = try text(of: file).components(separatedBy: "\n## ").dropFirst()
    for entry in entries {
      #expect(entry.split(separator: "\n").count > 1, "\(entry)")
    }
  }

  private func headings(of file: String) throws -> [String] {
    try text(of: file).split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
  }

  private func text(of file: String) throws -> String {
    try String(contentsOf: LessonText.builtFolder.appendingPathComponent(file), encoding: .utf8)
  }
}
