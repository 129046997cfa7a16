// SPDX-License-Identifier: Apache-2.0
import Exercises
import LessonKit
import Reports

/// The lessons, one lesson with all that can be run, and the claims.
struct LessonPages {
  private let site: SitePages
  private let reader: Reader
  private var say: StringCatalogue { reader.say }

  init(_ site: SitePages, _ reader: Reader) {
    (self.site, self.reader) = (site, reader)
  }

  /// The list of lessons.
  func list() throws -> WebAnswer {
    let columns: [Phrase] = ["no.", "title", "min", "examples", "claims", "exercise"]
    let rows = site.settings.lessons.map { lesson in
      var row: [String: Any] = [
        "number": "\(lesson.number)", "id": lesson.id, "title": say(lesson.title), "minutes": "\(lesson.minutes)",
        "examples": "\(lesson.examples.count)", "claims": "\(lesson.claims.count)",
      ]
      if let exercise = site.settings.course.exercises.first(where: { $0.id == lesson.id }) {
        row["exercise"] = ["id": exercise.id, "state": say(site.settings.student.state(of: exercise).words)]
      }
      return row
    }
    let intro: Phrase =
      "Choose a lesson, read it, run it: what its programs do is measured here, and each claim of the notes gets a verdict."
    let content = reader.render(
      "lessons",
      [
        "intro": say(intro), "label": say("Lessons" as Phrase), "columns": columns.map { say($0) }, "rows": rows,
        "all": say("Run all lessons" as Phrase), "size": say("Size of the body, S:" as Phrase),
        "sizes": reader.sizes(RunPages.sizes),
      ])
    return try reader.page(title: say("NSURLConnection and URLSession side by side" as Phrase), content: content)
  }

  /// A lesson: its text, its programs, and what starts them.
  func lesson(_ name: String) throws -> WebAnswer {
    let lesson = try LessonCatalog(site.settings.lessons).lesson(named: name)
    var setting = reader.setting(before: reader.render("order", order(lesson)))
    let material = setting.material
    setting.material = { id in
      var material = try material(id)
      // The question stands above the button, and the run answers it.
      material?.prediction = nil
      return material
    }
    let text = try ReadingPage(setting).text(ofLesson: lesson.id, title: lesson.title)
    return WebAnswer(page: text, nonce: setting.nonce)
  }

  private func order(_ lesson: Lesson) -> [String: Any] {
    var values: [String: Any] = [
      "lesson": lesson.id, "run": say("Run" as Phrase), "size": say("Size of the body, S:" as Phrase),
      "one": say("Run one example" as Phrase),
      "sizes": reader.sizes(RunPages.sizes),
      "examples": lesson.examples.map { example in
        [
          "id": example.id, "title": say(example.title), "button": say("Run this example" as Phrase),
          "label": say.say("Run this example: \(example.id)"),
        ]
      },
    ]
    if let question = lesson.prediction {
      values["question"] = [
        "title": say("What do you expect?" as Phrase), "text": say(question.question),
        "answers": question.answers.enumerated().map { ["number": "\($0.offset + 1)", "text": say($0.element)] },
      ]
    }
    if let exercise = site.settings.course.exercises.first(where: { $0.id == lesson.id }) {
      values["exercise"] = [
        "word": say("Exercise" as Phrase), "id": exercise.id, "title": exercise.manifest.title(say.language),
        "state": say(site.settings.student.state(of: exercise).words),
      ]
    }
    let earlier = site.runs.entries.filter { $0.id.contains(lesson.id) }.prefix(5)
    if !earlier.isEmpty {
      values["earlier"] = [
        "title": say("Earlier runs" as Phrase),
        "runs": earlier.map { ["id": $0.id, "date": $0.date, "name": $0.name] },
      ]
    }
    return values
  }

  /// The claims, below their notes.
  func claims() throws -> WebAnswer {
    let rows = ClaimList(ClaimTable.rows, lessons: site.settings.lessons).rows
    var notes: [(title: String, claims: [ClaimList.Row])] = []
    for row in rows {
      let title = row.note.isEmpty ? say("Checks beyond the notes" as Phrase) : "\(row.note)  \(row.noteTitle)"
      if notes.last?.title != title { notes.append((title, [])) }
      notes[notes.count - 1].claims.append(row)
    }
    let shown = notes.map { note in
      ["title": note.title, "claims": note.claims.map { values($0) }] as [String: Any]
    }
    return try reader.page(title: say("Claims" as Phrase), content: reader.render("claims", ["notes": shown]))
  }

  private func values(_ row: ClaimList.Row) -> [String: Any] {
    let verdict: Phrase = Verdict(rawValue: row.expected).map { Phrase(key: $0.rawValue) } ?? "by measurement"
    var values: [String: Any] = [
      "id": row.id, "sentence": say(row.sentence), "expected": say.say("expected: \(verdict)"),
      "lessons": row.lessons.map { ["id": $0] },
    ]
    if !row.quote.isEmpty { values["quote"] = row.quote }
    return values
  }
}
