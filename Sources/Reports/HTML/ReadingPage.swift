// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// Pages for reading, which are no report of a run: the same shell, style and text as such a report has.
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
      link: setting.frame.lessonLink ?? { LessonSection.link(within: [id], $0) },
      hint: setting.frame.linkHint, say: setting.catalogue, templates: templates)
    let heading: Phrase = "\(Phrase(verbatim: id)): \(Phrase(key: title))"
    return try PageShell(setting, templates).page(
      title: setting.catalogue(heading), circumstances: [], remarks: [], summary: "", content: try section.html(),
      isDrawn: false)
  }

  /// A page of finished HTML below a title; where it has drawings, with their legend between `summary` and `content`.
  ///
  /// - Throws: a template's error, which no text causes.
  public func text(
    title: String, remarks: [Phrase] = [], summary: String = "", content: String, isDrawn: Bool = false
  ) throws -> String {
    try PageShell(setting, PageTemplates()).page(
      title: title, circumstances: [], remarks: remarks, summary: summary, content: content, isDrawn: isDrawn)
  }

  /// A text's HTML: CommonMark with tables; raw HTML in it is escaped, links become their text.
  public static func html(ofMarkdown text: String) -> String {
    html(ofMarkdown: text) { $0.hasPrefix("https://") ? $0 : nil }
  }

  /// A text's HTML with the links that `link` has an address for; `hint` says what stands there.
  public static func html(
    ofMarkdown text: String, hint: @escaping (String) -> String? = { _ in nil }, link: @escaping (String) -> String?
  ) -> String {
    MarkdownHTML(code: { _ in nil }, link: link, hint: hint).html(text)
  }
}
