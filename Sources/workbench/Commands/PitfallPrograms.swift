// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons
import Pitfalls
import Reports

/// The programs of the lessons that have a pitfall: which they are, and the pieces of them, wrong and right, that a lesson's
/// text shows.
struct PitfallPrograms {
  private let lessons: [(lesson: Lesson, examples: [Example])]
  private let texts = LessonText()

  /// The programs that have `pitfall`, those of its own lesson first.
  init(_ pitfall: Pitfall) {
    let all = Course.catalog.lessons.map { ($0, $0.examples.filter { $0.pitfalls.contains(pitfall) }) }
    let having = all.filter { !$0.1.isEmpty }
    let isOwn = { (lesson: Lesson) in lesson.number == pitfall.entry.lesson }
    lessons = having.filter { isOwn($0.0) } + having.filter { !isOwn($0.0) }
  }

  /// The names of the examples, such as "lesson-09 connection/default".
  var examples: [String] { lessons.flatMap { lesson, examples in examples.map { "\(lesson.id) \($0.id)" } } }

  /// The first piece that a lesson shows as wrong of one of these programs, beside the right one; empty where there is none.
  func code(in language: Language, _ style: TextStyle) throws -> String {
    for (lesson, examples) in lessons {
      let files = Set(examples.map(\.file))
      let lines = try texts.text(of: lesson, in: language).split(separator: "\n").map(String.init)
      let line = lines.first { line in
        (CodeReference.all(in: line) ?? []).contains { $0.role == .wrong && files.contains($0.file) }
      }
      guard let line else { continue }
      return LessonPage(markdown: line) { try? texts.excerpt($0, in: lesson) }.text(style: style)
    }
    return ""
  }
}
