// SPDX-License-Identifier: Apache-2.0

/// Where Chinese text has no space though its source has the end of a line.
enum ChineseText {
  /// True if what ends with `last` and what begins with `first` follow each other without a space: two characters of
  /// Chinese, or a full-width mark beside anything.
  static func needsNoSpace(between last: Character, and first: Character) -> Bool {
    isMark(last) || isMark(first) || isChinese(last) && isChinese(first)
  }

  /// Full-width punctuation, which brings its own space.
  private static func isMark(_ character: Character) -> Bool { "，。、；：？！（）「」『』《》".contains(character) }

  /// Ideographs, their punctuation, and full-width forms.
  private static func isChinese(_ character: Character) -> Bool {
    character.unicodeScalars.first.map { scalar in
      [0x3000...0x303F, 0x3400...0x9FFF, 0xFF00...0xFFEF].contains { $0.contains(scalar.value) }
    } ?? false
  }
}
