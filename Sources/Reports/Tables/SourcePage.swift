// SPDX-License-Identifier: Apache-2.0

/// The programs of a lesson, Connection beside Session where the terminal is wide enough.
public struct SourcePage {
  /// One program.
  public struct Program: Sendable, Hashable {
    /// The example's id.
    public var id: String
    /// Its source file's name.
    public var file: String
    /// The source.
    public var source: String
    /// Whether it belongs in the left column.
    public var isConnection: Bool

    /// A program as given.
    public init(id: String, file: String, source: String, isConnection: Bool) {
      self.id = id
      self.file = file
      self.source = source
      self.isConnection = isConnection
    }
  }

  private let programs: [Program]

  /// A page of these programs.
  public init(_ programs: [Program]) {
    self.programs = programs
  }

  /// The page in `style`.
  public func text(style: TextStyle) -> String {
    let left = programs.filter(\.isConnection)
    let right = programs.filter { !$0.isConnection }
    guard style.width >= TextStyle.veryWide, !left.isEmpty, !right.isEmpty else {
      return programs.flatMap { block($0, nil, style) + [""] }.map { $0 + "\n" }.joined()
    }
    let columns = (style.width - 3) / 2
    let lines = (0..<max(left.count, right.count)).flatMap { index in
      TextLayout.sideBySide(
        index < left.count ? block(left[index], columns, style) : [],
        index < right.count ? block(right[index], columns, style) : [],
        columns: columns, between: style.paint(" │ ", .faint)) + [""]
    }
    return lines.map { $0.trimmedEnd + "\n" }.joined()
  }

  /// The program's lines; those longer than the column go on in the next line.
  private func block(_ program: Program, _ columns: Int?, _ style: TextStyle) -> [String] {
    let head = style.paint(program.id, program.isConnection ? .connection : .session)
    let code = program.source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .drop { $0.hasPrefix("// SPDX") }
    let trimmed = code.last?.isEmpty == true ? code.dropLast() : code
    return [head, style.paint(program.file, .faint)]
      + trimmed.flatMap { line in columns.map { Self.folded(line, $0) } ?? [line] }
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
