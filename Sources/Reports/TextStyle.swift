// SPDX-License-Identifier: Apache-2.0

/// How text reaches the reader: how wide, and whether in colour. The caller decides; a renderer asks no terminal.
public struct TextStyle: Sendable, Hashable {
  /// Columns that two examples beside each other need.
  public static let wide = 120
  /// Columns that two programs' source beside each other needs.
  public static let veryWide = 160

  /// Columns, at least 40.
  public var width: Int
  /// Whether to use colour.
  public var isColored: Bool

  /// A style as given.
  public init(width: Int, isColored: Bool) {
    self.width = max(40, width)
    self.isColored = isColored
  }

  var paint: Paint { Paint(isOn: isColored) }
}
