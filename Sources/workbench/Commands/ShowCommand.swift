// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Lessons
import Reports

/// `workbench show`
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a lesson's text, the source of its examples, the glossary or the course.",
    discussion: """
      Examples:
        workbench show 5
        workbench show delegate-progress --language zh-Hans
        workbench show 5 --source --side connection
        workbench show glossary
        workbench show course
      """)

  @Argument(help: "The lesson: lesson-05, 05, 5 or delegate-progress; or glossary, or course.") var lesson: String
  @Option(help: "Only this column's programs, with --source: connection or session.") var side: Side?
  @Flag(help: "Show the examples' source, both columns side by side where the terminal is wide enough.")
  var source = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var terminal: TerminalOptions
  @OptionGroup var pager: PagerOptions

  /// Texts of the course as a whole, by the names that show them.
  private static let pages = ["glossary", "course"]

  /// The page that a person means by this name, also by a part of its own or a slip of the finger; nil where no page is meant.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` where several may be meant; its text names them.
  private static func page(meantBy name: String) throws -> String? {
    if pages.contains(name.lowercased()) { return name.lowercased() }
    guard !Course.catalog.lessons.contains(where: { $0.isCalled(name) }) else { return nil }
    let candidates = pages.map { (label: $0, names: [$0], number: nil) } + Course.catalog.candidates
    guard let place = try NameSearch.only(meantBy: name, among: candidates) else { return nil }
    return place < pages.count ? pages[place] : nil
  }

  func validate() throws {
    if side != nil, !source { throw ValidationError(say: "--side chooses programs; give --source, too.") }
    if source, (try? Self.page(meantBy: lesson)) != nil {
      throw ValidationError(say: "--source shows a lesson's programs; “\(lesson)” has none.")
    }
  }

  func run() async throws {
    try await ExitStatus.guarding(terminal.messages) {
      let texts = LessonText()
      if let page = try Self.page(meantBy: lesson) {
        if page != lesson.lowercased() { terminal.messages.tell(taken: lesson, for: page) }
        return try show(Shown(id: page, try texts.text(named: page, in: language))) { _ in nil }
      }
      let lesson = try terminal.messages.lesson(meantBy: lesson)
      guard source else {
        let title = try terminal.style().catalogue(lesson.title)
        return try show(Shown(id: lesson.id, title: title, try texts.text(of: lesson, in: language))) {
          try? texts.excerpt($0, in: lesson)
        }
      }
      let files = try SourcePage.files(of: lesson, texts, side: side)
      guard !json else { return try Terminal.show(JSONReport.encoded(files.map(ShownFile.init))) }
      try pager.show(SourcePage(files).text(style: terminal.style()))
    }
  }

  private var language: Language { terminal.reader.spoken }

  private func show(_ shown: Shown, _ excerpt: @escaping (CodeReference) -> CodeExcerpt?) throws {
    var shown = shown
    shown.language = language
    guard !json else { return try Terminal.show(JSONReport.encoded(shown)) }
    try pager.show(LessonPage(markdown: shown.text, excerpt: excerpt).text(style: terminal.style()))
  }
}

extension ShowCommand {
  /// A text, as `--json` prints it.
  private struct Shown: Encodable {
    var id: String
    var title: String
    var language = Language.english
    var text: String

    init(id: String, title: String = "", _ text: String) {
      self.id = id
      self.title = title
      self.text = text
    }
  }

  /// A file of programs, as `--json` prints it.
  private struct ShownFile: Encodable {
    var file: String
    var side: Side
    var examples: [String]
    var source: String

    init(_ file: SourcePage.File) {
      (self.file, examples, source) = (file.name, file.examples, file.source)
      side = file.isConnection ? .connection : .session
    }
  }
}
