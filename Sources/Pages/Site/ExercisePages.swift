// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Reports

/// The exercises: the task, how far the student is, hints, and the last check. A program is written in the student's own
/// editor; no page takes code.
struct ExercisePages {
  private let site: SitePages
  private let reader: Reader
  private var say: StringCatalogue { reader.say }
  private var student: StudentFolder { site.settings.student }

  init(_ site: SitePages, _ reader: Reader) {
    (self.site, self.reader) = (site, reader)
  }

  /// All exercises.
  func list() throws -> WebAnswer {
    let columns: [Phrase] = ["title", "exercise", "min", "points", "state"]
    let rows = site.settings.course.exercises.map { exercise in
      [
        "id": exercise.id, "title": exercise.manifest.title(say.language), "minutes": "\(exercise.manifest.minutes)",
        "points": "\(exercise.manifest.points)", "state": say(student.state(of: exercise).words),
      ]
    }
    let content = reader.render(
      "exercises",
      [
        "intro": say.say(
          "Your programs lie in \(student.url.path). Mend them in your own editor; this page takes no code."),
        "label": say("Exercises" as Phrase), "columns": columns.map { say($0) }, "rows": rows,
      ])
    return try reader.page(title: say("Exercises" as Phrase), content: content)
  }

  /// One exercise.
  func exercise(_ name: String) throws -> WebAnswer {
    let exercise = try site.settings.course.exercise(named: name)
    let state = student.state(of: exercise)
    let task = ReadingPage.html(ofMarkdown: Self.body(try exercise.text(of: say.language.file("task"))))
    var values: [String: Any] = [
      "work": say("Exercise" as Phrase), "task": task, "buttons": buttons(exercise, state), "lesson": exercise.id,
      "back": say("Back to the lesson" as Phrase),
    ]
    if state != .new {
      values["file"] = ["words": say("Your program:" as Phrase), "path": student.file(of: exercise).path]
      values["watch"] = ["id": exercise.id, "number": "\(site.board.checks(of: exercise.id))"]
    }
    values.merge(try checked(exercise)) { first, _ in first }
    let hints = exercise.manifest.hints.prefix(student.hintsSeen(of: exercise)).map { $0(say.language) }
    if !hints.isEmpty { values["hints"] = ["title": say("Hints" as Phrase), "texts": hints] as [String: Any] }
    let title = "\(exercise.id): \(exercise.manifest.title(say.language))"
    return try reader.page(
      title: title, content: reader.render("exercise", values), script: state == .new ? "" : LiveScript.exercise)
  }

  /// The part of an exercise's page that a check changes.
  func outcome(_ name: String) throws -> WebAnswer {
    let exercise = try site.settings.course.exercise(named: name)
    let part = reader.render("outcome", try checked(exercise))
    return WebAnswer(.ok, part, type: "text/html; charset=utf-8")
  }

  private func checked(_ exercise: Exercise) throws -> [String: Any] {
    let state = student.state(of: exercise)
    var values: [String: Any] = ["state": say.say("State: \(state.words)")]
    if let report = site.board.check(of: exercise.id) { values["check"] = try self.values(report, exercise.id) }
    if case .failed(let why)? = site.board.job?.state, site.board.job?.order == .check(order(exercise)) {
      values["trouble"] = say(why)
    }
    if state == .passed, exercise.hasSolution { values["passed"] = try explained(exercise) }
    return values
  }

  /// Forms the explanation for a student who has passed: why it is so, and the program of the course to compare with.
  private func explained(_ exercise: Exercise) throws -> [String: Any] {
    let explanation = Self.body(try exercise.text(of: say.language.file("explanation")))
    return [
      "title": say("Explanation" as Phrase), "html": ReadingPage.html(ofMarkdown: explanation),
      "solution": say("A solution to compare with yours" as Phrase), "code": try exercise.text(of: "Solution.swift"),
    ]
  }

  /// The text below its title, which the page has at its head.
  private static func body(_ text: String) -> String {
    guard text.hasPrefix("# ") else { return text }
    return String(text.drop { $0 != "\n" })
  }

  /// How the checks of an exercise go; while a page reads it, saving the program checks it.
  func events(_ name: String) throws -> WebAnswer {
    let exercise = try site.settings.course.exercise(named: name)
    let file = student.file(of: exercise).path
    return WebAnswer(events: CheckStream(site.board, site.checks, say).events(of: order(exercise), file: file))
  }

  private func order(_ exercise: Exercise) -> CheckOrder {
    CheckOrder(exercise: exercise.id, course: site.settings.course.folder.path, student: student.url.path)
  }

  private func buttons(_ exercise: Exercise, _ state: ExerciseState) -> [[String: String]] {
    var buttons: [(String, Phrase)] = state == .new ? [("start", "Start")] : [("check", "Check my program")]
    if state != .new, student.hintsSeen(of: exercise) < exercise.manifest.hints.count {
      buttons.append(("hint", "Show the next hint"))
    }
    return buttons.map {
      ["action": $0.0, "name": say($0.1), "id": exercise.id, "style": $0.0 == "hint" ? "" : "go"]
    }
  }

  private func values(_ report: CheckReport, _ exercise: String) throws -> [String: Any] {
    let figures = CheckFigures(report, good: site.board.good(of: exercise), say)
    return [
      "title": say("The last check" as Phrase), "words": say(report.head),
      "style": report.passed ? "passed" : "failing",
      "why": say(report.why), "compiler": report.compiler, "advice": report.advice.map { say($0) },
      "checks": try report.checks.map { check in
        [
          "sign": check.passed ? "✓" : "✗", "title": say.name(ofCheck: check.id, check.title),
          "wantedWord": say("wanted" as Phrase),
          "wanted": say(check.wanted), "measuredWord": say("measured" as Phrase), "measured": say(check.measured),
          "figure": try figures.html(of: check),
        ]
      },
    ].filter { ($0.value as? String)?.isEmpty != true }
  }

  // MARK: - What changes something

  /// Hands the exercise out.
  func start(_ form: [String: String]) throws -> WebAnswer {
    let exercise = try site.settings.course.exercise(named: form["exercise"] ?? "")
    _ = try student.start(exercise, in: say.language)
    return WebAnswer(seeOther: "/exercises/\(exercise.id)")
  }

  /// Shows one hint more.
  func hint(_ form: [String: String]) throws -> WebAnswer {
    let exercise = try site.settings.course.exercise(named: form["exercise"] ?? "")
    _ = try student.nextHint(of: exercise)
    return WebAnswer(seeOther: "/exercises/\(exercise.id)")
  }

  /// Has the student's program checked.
  func check(_ form: [String: String]) throws -> WebAnswer {
    let exercise = try site.settings.course.exercise(named: form["exercise"] ?? "")
    let order = order(exercise)
    // A page that is open may have noticed the save before the student pressed the button.
    if site.board.isRunning, site.board.job?.order == .check(order) { return WebAnswer(seeOther: "/run") }
    guard site.checks.start(student.file(of: exercise).path, order) else { return RunPages(site, reader).busy() }
    return WebAnswer(seeOther: "/run")
  }
}
