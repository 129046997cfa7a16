// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The files of a lesson's programs, each once, Connection beside Session where the terminal is wide enough. The marks of
/// the lesson's text are left out; the lines that matter bear an arrow.
public struct SourcePage {
  /// One file.
  public struct File: Sendable, Hashable {
    /// The file, below the folder of lessons.
    public var name: String
    /// The source.
    public var source: String
    /// The examples whose programs stand in it.
    public var examples: [String]
    /// True if it belongs in the left column.
    public var isConnection: Bool

    /// A file as given.
    public init(name: String, source: String, examples: [String], isConnection: Bool) {
      self.name = name
      self.source = source
      self.examples = examples
      self.isConnection = isConnection
    }
  }

  private let files: [File]

  /// A page of these files.
  public init(_ files: [File]) {
    self.files = files
  }

  /// The page in `style`.
  public func text(style: TextStyle) -> String {
    let left = files.filter(\.isConnection)
    let right = files.filter { !$0.isConnection }
    guard style.width >= TextStyle.veryWide, !left.isEmpty, !right.isEmpty else {
      return style.finished(files.flatMap { block($0, style.width, style) + [""] })
    }
    let columns = (style.width - 3) / 2
    return style.finished(
      (0..<max(left.count, right.count)).flatMap { index in
        TextLayout.sideBySide(
          index < left.count ? block(left[index], columns, style) : [],
          index < right.count ? block(right[index], columns, style) : [],
          columns: columns, between: style.paint(" │ ", .faint)) + [""]
      })
  }

  /// The file's name, its examples and its lines; those longer than the column continue in the next line.
  private func block(_ file: File, _ columns: Int, _ style: TextStyle) -> [String] {
    let colours = SwiftColours(paint: style.paint)
    let examples = TextLayout.wrap(file.examples.joined(separator: ", "), columns - 2)
    return [style.paint(file.name, file.isConnection ? .connection : .session)]
      + examples.map { "  " + style.paint($0, .faint) }
      + file.shownLines.flatMap { text, matters in
        Self.folded(text, columns - 2).map { part in
          (matters ? style.paint("▶ ", .doubtful) : "  ") + colours.line(part)
        }
      }
  }

  private static func folded(_ line: String, _ columns: Int) -> [String] {
    var parts: [String] = []
    var rest = line
    while TextLayout.width(rest) > columns {
      let (head, tail) = TextLayout.cut(rest, columns - 1)
      parts.append(head + "↩")
      rest = tail
    }
    return parts + [rest]
  }
}

extension SourcePage.File {
  /// The lines that a reader sees, without marks and licence, and which of them matter.
  var shownLines: [(text: String, matters: Bool)] {
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .filter { CodeExcerpt.mark(in: $0) == nil }.drop { $0.hasPrefix("// SPDX") }
    return (code.last?.isEmpty == true ? code.dropLast() : code).map(CodeExcerpt.withoutArrow)
  }
}

extension SourcePage {
  /// The files of a lesson's programs, each once; of one column where `side` says so.
  ///
  /// - Throws: `LessonKitError` when a file cannot be read.
  public static func files(of lesson: Lesson, _ texts: LessonText, side: Side? = nil) throws -> [File] {
    var files: [File] = []
    for example in lesson.examples where side == nil || example.side == side {
      let name = "\(lesson.folder)/\(example.file)"
      if let known = files.firstIndex(where: { $0.name == name }) {
        files[known].examples.append(example.id)
      } else {
        files.append(
          File(
            name: name, source: try texts.source(of: example, in: lesson), examples: [example.id],
            isConnection: example.side == .connection))
      }
    }
    return files
  }
}
