// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One lesson on a page: its text and code, the table of its examples, the figures, the claims.
struct LessonSection {
  private let lesson: LessonResult
  private let bodyBytes: Int
  private let material: LessonMaterial?
  private let say: StringCatalogue
  private let templates: PageTemplates
  /// The address in place of a link's in the text; nil where there is no such place.
  private let link: (String) -> String?
  private let hint: (String) -> String?

  init(
    _ lesson: LessonResult, bodyBytes: Int, material: LessonMaterial?, link: @escaping (String) -> String?,
    hint: @escaping (String) -> String?, say: StringCatalogue, templates: PageTemplates
  ) {
    self.hint = hint
    (self.lesson, self.bodyBytes, self.material) = (lesson, bodyBytes, material)
    (self.link, self.say, self.templates) = (link, say, templates)
  }

  /// The section.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  func html() throws -> String {
    let claims = ClaimSection(say: say, level: 3)
    let sections = [
      (claims.values("Claims", lesson.claims), "\(lesson.id)-claims"),
      (claims.values("Checks beyond the notes", lesson.checks), "\(lesson.id)-checks"),
    ]
    var values: [String: Any] = [
      "id": lesson.id, "title": material?.title ?? "\(lesson.id): \(say(lesson.title))",
      "claims": sections.compactMap { values, anchor in
        values.map { templates.render("claims", $0.merging(["anchor": anchor]) { first, _ in first }) }
      },
      "places": places,
    ]
    if !lesson.examples.isEmpty {
      if let strip { values["strip"] = templates.render("strip", strip) }
      values["measured"] =
        [
          "title": say("What was measured" as Phrase), "table": table,
          "subject": SubjectWords(lesson).map { say($0.phrase) } ?? "",
        ].compact
      values["figures"] = try figures()
    }
    if lesson.incomplete {
      values["incomplete"] = say("Interrupted: not every example of this lesson has run." as Phrase)
    }
    if let material { values.merge(said(by: material)) { first, _ in first } }
    return templates.render("lesson", values)
  }

  // MARK: - Text

  private func said(by material: LessonMaterial) -> [String: Any] {
    let columns = CodeColumns(say: say)
    let text = MarkdownHTML(code: { columns.html($0, material.excerpt) }, link: link, hint: hint).html(material.body)
    var values: [String: Any] = ["text": text]
    if !material.files.isEmpty {
      values["code"] = ["title": say("The programs, whole" as Phrase), "html": columns.html(material.files)]
    }
    if let question = material.prediction, question.answers.indices.contains(question.right - 1) {
      values["question"] = [
        "title": say("What do you expect?" as Phrase), "text": say(question.question),
        "answers": question.answers.map { say($0) }, "show": say("Show what the run says" as Phrase),
        "answer": answer(question),
      ]
    }
    return values
  }

  /// The right answer, where the run bears it out.
  private func answer(_ question: Prediction) -> String {
    let shown = (lesson.claims + lesson.checks).first { $0.id == question.claim }
    guard let shown, shown.isAsExpected, !shown.tooSmall else {
      return say.say("This run does not answer it (\(question.claim)).")
    }
    return say.say("\(question.answers[question.right - 1]) (\(question.claim))")
  }

  /// A link to another lesson leads to its place on this page, if it has one; addresses in the net stay.
  static func link(within known: [String], _ address: String) -> String? {
    if address.hasPrefix("https://") { return address }
    return known.first { address.contains($0) }.map { "#\($0)" }
  }

  private var places: [[String: String]] {
    var places: [(String, Phrase)] = []
    if !lesson.examples.isEmpty { places.append(("compared", "drawings")) }
    if !lesson.claims.isEmpty { places.append(("claims", "claims")) }
    if !lesson.checks.isEmpty { places.append(("checks", "checks")) }
    if material != nil { places.append(("text", "text")) }
    if material?.files.isEmpty == false { places.append(("code", "programs")) }
    return places.map { ["anchor": "\(lesson.id)-\($0.0)", "name": say($0.1)] }
  }

  // MARK: - Measured

  private var pairing: ExamplePairing { ExamplePairing(lesson) }
  private var rows: [[ExampleResult]] { pairing.rows }

  private var strip: [String: Any]? {
    let scale = MemoryDrawing.Scale(lesson.examples, bodyBytes: bodyBytes)
    return LessonStrip(lesson, material, scale: scale, say: say)?.values { example in
      for (number, row) in rows.enumerated() {
        guard let index = row.firstIndex(where: { $0.id == example.id }) else { continue }
        return ExampleFigure.anchor(lesson.id, example, number, index)
      }
      return ""
    }
  }

  private func figures() throws -> [String] {
    let scale = MemoryDrawing.Scale(lesson.examples, bodyBytes: bodyBytes)
    return try rows.enumerated().map { number, row in
      let pair = lesson.pairs.first { row.count == 2 && $0.connection == row[0].id && $0.session == row[1].id }
      let figure = ExampleFigure(
        pairing.compared(with: row), in: lesson.id, number: number, scale: scale, say: say, level: 4)
      return templates.render("figure", try figure.values(row, difference: pair?.difference ?? .empty).compact)
    }
  }

  /// The head-to-head table.
  private var table: String {
    let cells = rows.enumerated().flatMap { number, row in
      row.enumerated().map { index, example in
        [
          "name": example.id,
          "style": example.side.rawValue,
          "anchor": ExampleFigure.anchor(lesson.id, example, number, index),
          "cells": ExampleRow.cells(example, about: lesson.subject, say),
        ] as [String: Any]
      }
    }
    return templates.render(
      "table",
      [
        "label": say("What was measured" as Phrase),
        "columns": ExampleRow.columns(about: lesson.subject).map { say($0) }, "rows": cells,
      ])
  }
}

extension [String: Any] {
  /// The values without empty texts, so that a template leaves out what they would stand in.
  var compact: [String: Any] { filter { ($0.value as? String)?.isEmpty != true } }
}
