// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Reports

/// The texts of the course beside the lessons: the glossary, and the plan of the course.
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
}
