// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The material of a lesson, beside what its run measured: its text, the code that the text refers to, its programs and
/// the question it asks.
public struct LessonMaterial {
  /// The text, Markdown, in the reader's language.
  public var markdown: String
  /// Answers the code of a reference in the text, nil where it is missing.
  public var excerpt: (CodeReference) -> CodeExcerpt?
  /// The files of its programs, each once.
  public var files: [SourcePage.File]
  /// The question that its run answers.
  public var prediction: Prediction?

  /// Material as given.
  public init(
    markdown: String, files: [SourcePage.File] = [], prediction: Prediction? = nil,
    excerpt: @escaping (CodeReference) -> CodeExcerpt? = { _ in nil }
  ) {
    self.markdown = markdown
    self.files = files
    self.prediction = prediction
    self.excerpt = excerpt
  }

  /// The first heading, without its marks.
  var title: String? {
    markdown.split(separator: "\n").first { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) }
  }

  /// The text without its first heading, and without the figures of a recorded run: the page has a run's own.
  var body: String {
    var isRecorded = false
    var isTitled = false
    return markdown.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix("<!-- figures") { isRecorded = true }
      defer { if line.hasPrefix("<!-- end of figures") { isRecorded = false } }
      if !isTitled, line.hasPrefix("# ") {
        isTitled = true
        return false
      }
      return !isRecorded
    }.joined(separator: "\n")
  }
}
