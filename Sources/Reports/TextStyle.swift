// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// How text reaches the reader: how wide, in which language, with which signs, and whether in colour. The caller decides;
/// a renderer asks no terminal.
public struct TextStyle: Sendable {
  /// Columns that two examples beside each other need.
  public static let wide = 120
  /// Columns that two programs' source beside each other needs.
  public static let veryWide = 160

  /// Columns, at least 40.
  public var width: Int
  /// True to use colour.
  public var isColored: Bool
  /// True to keep to ASCII in bars and marks, for terminals that show nothing else.
  public var isASCII: Bool
  /// The reader's language.
  public var catalogue: StringCatalogue

  /// A style as given.
  public init(
    width: Int, isColored: Bool, isASCII: Bool = false, catalogue: StringCatalogue = StringCatalogue(.english)
  ) {
    self.width = max(40, width)
    self.isColored = isColored
    self.isASCII = isASCII
    self.catalogue = catalogue
  }

  /// The columns of one of two blocks beside each other, with ` │ ` between them.
  var halfWidth: Int { (width - 3) / 2 }

  var paint: Paint { Paint(isOn: isColored) }

  /// A phrase in the reader's language.
  func say(_ phrase: Phrase) -> String { catalogue(phrase) }

  /// A phrase in the reader's language, in lines that fit the terminal, each ended; they begin with `indent` spaces, from the
  /// second one on with `hanging` more.
  public func lines(_ phrase: Phrase, indent: Int = 0, hanging: Int = 0) -> String {
    let space = String(repeating: " ", count: indent)
    return TextLayout.wrap(say(phrase), max(20, width - indent), indent: hanging).map { "\(space)\($0)\n" }.joined()
  }

  /// Rows in columns, each as wide as its widest text, but for the last.
  public func columns(_ rows: [[String]]) -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { TextLayout.width($0[column]) }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).dropLast().map { TextLayout.fill($0, $1) }.map { $0 + "  " }.joined() + (row.last ?? "") + "\n"
    }.joined()
  }
}

extension StringCatalogue {
  /// A phrase in this language. Where a call passes a literal with values, `self(…)` would take it for fixed text.
  func say(_ phrase: Phrase) -> String { self(phrase) }
}
