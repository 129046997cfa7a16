// SPDX-License-Identifier: Apache-2.0

/// One error that the compiler found in one of several files.
struct CompilerFinding: Hashable {
  /// The file's name, without folders.
  var file: String
  /// The line, from 1.
  var line: Int
  /// The compiler's message, without the place.
  var text: String

  /// The errors in this output, in its order: lines `path:line:column: error: text`.
  static func errors(in output: String) -> [CompilerFinding] {
    output.split(whereSeparator: \.isNewline).compactMap { line in
      guard let range = line.firstRange(of: ": error: ") else { return nil }
      let place = line[..<range.lowerBound].split(separator: ":")
      guard place.count >= 3, let number = Int(place[place.count - 2]),
        let file = place[place.count - 3].split(separator: "/").last
      else { return nil }
      return CompilerFinding(file: String(file), line: number, text: String(line[range.upperBound...]))
    }
  }

  /// The message in few words, where it is a name that is missing: `no member 'bytes'`.
  var shortText: String {
    guard let range = text.firstRange(of: " has no member '") else { return text }
    return "no member '" + text[range.upperBound...]
  }
}
