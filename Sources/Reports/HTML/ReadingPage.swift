// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// Pages for reading, of which nothing was measured: the same shell, style and text as a run's report has.
public struct ReadingPage {
  private let setting: HTMLReport.Setting

  /// Pages with this setting.
  public init(_ setting: HTMLReport.Setting) {
    self.setting = setting
  }

  /// A lesson's text, its programs and its question.
  ///
  /// - Throws: what the setting's `material` throws.
  public func text(ofLesson id: String, title: String) throws -> String {
    let templates = try PageTemplates()
    let nothing = LessonResult(id: id, title: title, examples: [], claims: [])
    let section = LessonSection(
      nothing, bodyBytes: 0, material: try setting.material(id),
      link: setting.frame.lessonLink ?? { LessonSection.link(within: [id], $0) }, say: setting.catalogue,
      templates: templates)
    let heading: Phrase = "\(Phrase(verbatim: id)): \(Phrase(key: title))"
    return try page(setting.catalogue(heading), try section.html(), templates)
  }

  /// A page of finished HTML below a title.
  ///
  /// - Throws: a template's error, which no text causes.
  public func text(title: String, remarks: [Phrase] = [], content: String) throws -> String {
    try page(title, content, PageTemplates(), remarks)
  }

  /// A text's HTML: CommonMark with tables; raw HTML in it is escaped, links become their text.
  public static func html(ofMarkdown text: String) -> String {
    MarkdownHTML(code: { _ in nil }, link: { $0.hasPrefix("https://") ? $0 : nil }).html(text)
  }

  private func page(
    _ title: String, _ content: String, _ templates: PageTemplates, _ remarks: [Phrase] = []
  ) throws -> String {
    try PageShell(setting, templates).page(
      title: title, circumstances: [], remarks: remarks, summary: "", content: content, isDrawn: false)
  }
}
