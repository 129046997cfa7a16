// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Locking
import Reports

/// Answers requests: looks the address up and makes the page.
struct SitePages: Sendable {
  let settings: SiteSettings
  let board: JobBoard
  let checks: SaveChecks
  let runs: RunFolder
  private let gate: WebGate
  private let templates: SiteTemplates
  private let catalogues = Locked<[Language: StringCatalogue]>([:])

  init(_ settings: SiteSettings, board: JobBoard, cookies: WebGate) throws {
    (self.settings, self.board, gate) = (settings, board, cookies)
    checks = SaveChecks(board)
    runs = RunFolder(path: settings.runs)
    templates = try SiteTemplates()
    // A catalogue that cannot be read is said at the terminal, before there is a page.
    let catalogue = try settings.catalogue(settings.language)
    catalogues.withLock { $0[settings.language] = catalogue }
  }

  /// Answers the request, which got past the gate.
  func answer(_ request: WebRequest) async -> WebAnswer {
    let reader = Reader(request, say: catalogue(of: request), templates: templates, settings: settings, board: board)
    do {
      return try answer(request, reader)
    } catch let error as LessonKitError {
      return error.code == .unknownName
        ? message(.notFound, "Not here", error.phrase, reader)
        : message(.fault, "That did not work", error.phrase, reader)
    } catch {
      return message(.fault, "That did not work", "This page could not be made: \("\(error)" as String)", reader)
    }
  }

  private func answer(_ request: WebRequest, _ reader: Reader) throws -> WebAnswer {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    if request.method == .post { return try change(parts, request, reader) }
    switch (parts.first ?? "", parts.count) {
    case ("", 1): return try LessonPages(self, reader).list()
    case ("lessons", 2): return try LessonPages(self, reader).lesson(parts[1])
    case ("claims", 1): return try LessonPages(self, reader).claims()
    case ("glossary", 1): return try CoursePages(self, reader).glossary()
    case ("course", 1): return try CoursePages(self, reader).course()
    case ("pitfalls", 1): return try CoursePages(self, reader).pitfalls()
    case ("behaviour", 1): return try BehaviourPages(self, reader).table(request.query["feature"])
    case ("run", 1): return try RunPages(self, reader).live()
    case ("run", 2) where parts[1] == "events": return RunPages(self, reader).events(request)
    case ("runs", 1): return try RunPages(self, reader).history()
    case ("runs", 2): return try RunPages(self, reader).report(parts[1])
    case ("runs", 3) where RunPages.formats.contains(parts[2]):
      return try RunPages(self, reader).file(parts[1], parts[2])
    case ("compare", 1): return try RunPages(self, reader).compared(request.query)
    case ("exercises", 1): return try ExercisePages(self, reader).list()
    case ("exercises", 2): return try ExercisePages(self, reader).exercise(parts[1])
    case ("exercises", 3) where parts[2] == "events": return try ExercisePages(self, reader).events(parts[1])
    case ("exercises", 3) where parts[2] == "outcome": return try ExercisePages(self, reader).outcome(parts[1])
    default: return nothing(reader)
    }
  }

  /// Answers a request that changes something.
  private func change(_ parts: [String], _ request: WebRequest, _ reader: Reader) throws -> WebAnswer {
    switch parts {
    case ["run"]: return try RunPages(self, reader).start(request.form)
    case ["run", "stop"]:
      board.stop()
      return WebAnswer(seeOther: "/run")
    case ["language"]: return language(request.form)
    case ["exercises", "start"]: return try ExercisePages(self, reader).start(request.form)
    case ["exercises", "hint"]: return try ExercisePages(self, reader).hint(request.form)
    case ["exercises", "check"]: return try ExercisePages(self, reader).check(request.form)
    default: return nothing(reader)
    }
  }

  private func nothing(_ reader: Reader) -> WebAnswer {
    message(.notFound, "Not here", "There is no such page.", reader)
  }

  // MARK: - Language

  private var languageCookie: String { gate.cookie + "-language" }

  private func catalogue(of request: WebRequest) -> StringCatalogue {
    let language = request.cookies[languageCookie].flatMap(Language.init(rawValue:)) ?? settings.language
    if let known = catalogues.withLock({ $0[language] }) { return known }
    let read = (try? settings.catalogue(language)) ?? StringCatalogue(.english)
    return catalogues.withLock { known in
      known[language] = read
      return read
    }
  }

  /// Remembers the language and goes back to where the reader was, on this server.
  private func language(_ form: [String: String]) -> WebAnswer {
    let path = form["to"] ?? "/"
    let cookies = form["language"].flatMap(Language.init(rawValue:)).map {
      ["\(languageCookie)=\($0.rawValue); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"]
    }
    return WebAnswer(seeOther: WebRequest.isTarget(path) ? path : "/", cookies: cookies ?? [])
  }

  // MARK: - Messages

  /// A page with a sentence.
  ///
  /// - Parameter link: where the reader is sent on, as the template `link` has it.
  func message(
    _ status: WebStatus, _ title: Phrase, _ sentence: Phrase, _ reader: Reader,
    link: (path: String, name: Phrase)? = nil
  ) -> WebAnswer {
    let content = link.map { reader.render("link", ["path": $0.path, "name": reader.say($0.name)]) } ?? ""
    let made = try? reader.page(title: reader.say(title), remarks: [sentence], content: content, status)
    return made ?? WebAnswer(status, reader.say(sentence) + "\n")
  }

  /// The page for a request without the token: a sentence, and no content.
  func refusal(_ status: WebStatus, _ sentence: Phrase, _ request: WebRequest) -> WebAnswer {
    WebAnswer(status, catalogue(of: request)(sentence) + "\n")
  }
}
