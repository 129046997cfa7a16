// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Pitfalls
import Reports

/// The texts of the course beside the lessons: the glossary, the plan of the course, and the catalogue of pitfalls.
struct CoursePages {
  private let site: SitePages
  private let reader: Reader
  private var say: StringCatalogue { reader.say }

  init(_ site: SitePages, _ reader: Reader) {
    (self.site, self.reader) = (site, reader)
  }

  /// The words, each with a place that the lessons' links lead to.
  func glossary() throws -> WebAnswer {
    let glossary = Glossary(try reader.text("glossary"))
    let setting = reader.setting()
    let html = { (markdown: String) in
      ReadingPage.html(ofMarkdown: markdown, hint: setting.frame.linkHint) { address in
        // Within the glossary a link names the place alone.
        setting.frame.lessonLink?(address.hasPrefix("#") ? "glossary" + address : address)
      }
    }
    let values: [String: Any] = [
      "intro": html(glossary.introduction),
      "entries": glossary.entries.map { ["word": $0.word, "anchor": $0.anchor, "html": html($0.markdown)] },
    ]
    return try reader.page(title: say("Glossary" as Phrase), content: reader.render("glossary", values))
  }

  /// Which lessons fit into how much time; each lesson's number leads to it.
  func course() throws -> WebAnswer {
    let text = try reader.text("course")
    let title = text.hasPrefix("# ") ? String(text.prefix { $0 != "\n" }.dropFirst(2)) : say("Course" as Phrase)
    let ids = Set(site.settings.lessons.map(\.id))
    let body = text.hasPrefix("# ") ? String(text.drop { $0 != "\n" }) : text
    let link = reader.setting().frame.lessonLink
    let html = ReadingPage.html(ofMarkdown: body) { link?($0) }.replacing(#/<td>(\d\d)<\/td>/#) { cell in
      let id = "lesson-\(cell.output.1)"
      return ids.contains(id) ? "<td><a href=\"/lessons/\(id)\">\(cell.output.1)</a></td>" : String(cell.output.0)
    }
    return try reader.page(title: title, content: reader.render("course", ["html": html]))
  }

  /// The pitfalls, each with its harm, its cure, its lesson and the examples that have it.
  func pitfalls() throws -> WebAnswer {
    let intro: Phrase =
      "How loading goes wrong, and what mends it. “workbench measure -- COMMAND” finds these in a program of yours."
    let entries = Pitfall.allCases.map { pitfall in
      let entry = pitfall.entry
      return [
        "name": pitfall.rawValue, "grade": say(entry.grade.word), "harm": say(entry.harmInGeneral),
        "cure": say(Phrase(key: entry.cure)), "id": String(format: "lesson-%02d", entry.lesson),
        "lesson": say("Lesson \(entry.lesson)" as Phrase), "examples": examples(having: pitfall),
      ] as [String: Any]
    }
    let content = reader.render("pitfalls", ["intro": say(intro), "entries": entries])
    return try reader.page(title: say("Pitfalls" as Phrase), content: content)
  }

  /// The first examples that have it: some pitfalls are in many.
  private func examples(having pitfall: Pitfall) -> [[String: Any]] {
    let all = site.settings.lessons.flatMap { lesson in
      lesson.examples.filter { $0.pitfalls.contains(pitfall) }.map { ["id": lesson.id, "example": $0.id] }
    }
    return Array(all.prefix(6))
  }
}
