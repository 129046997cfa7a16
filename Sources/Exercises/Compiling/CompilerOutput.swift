// SPDX-License-Identifier: Apache-2.0

/// The compiler's output about a program and about the file compiled beside it, told apart.
///
/// The compiler writes a line `path:line:column: error: text` for each finding, then the source it is about, then notes
/// of the same form that belong to the finding before.
struct CompilerOutput: Hashable {
  /// The findings in the program, word for word.
  private(set) var findings: [String] = []
  /// True if something was found in the file beside it: the program lacks what that file calls.
  private(set) var hasOthers = false
  /// The lines that belong to neither: trouble of the compiler's own, such as a module that it cannot build.
  private(set) var remarks = ""

  /// Reads `output`; the program lies at `path`, the file beside it at `other`.
  init(_ output: String, about path: String, beside other: String) {
    var belongs: Bool?
    for line in output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      switch Self.head(of: line) {
      case .finding(let place) where place == path || place == other:
        belongs = place == path
        hasOthers = hasOthers || belongs == false
        if belongs == true { findings.append(line) }
      case .finding:
        belongs = nil
        remarks += line + "\n"
      case .note, .none:
        if belongs == nil, !line.isEmpty { remarks += line + "\n" }
        if belongs == true { findings[findings.count - 1] += "\n" + line }
      }
    }
  }

  /// True if the program has an error, and not only warnings.
  var hasErrors: Bool { findings.contains { $0.prefix { !$0.isNewline }.contains(": error: ") } }

  /// The findings as the person is to read them: with the path the person wrote.
  func text(replacing path: String, by written: String) -> String {
    let text = findings.joined(separator: "\n").replacing(path, with: written)
    return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
  }

  private enum Head {
    case finding(String)
    case note, none
  }

  private static func head(of line: String) -> Head {
    let kinds = [": error: ", ": warning: ", ": remark: ", ": note: "]
    guard let kind = kinds.first(where: line.contains), let range = line.firstRange(of: kind) else { return .none }
    let place = line[..<range.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
    guard place.count >= 2, place.suffix(place.count > 2 ? 2 : 1).allSatisfy({ Int($0) != nil }) else { return .none }
    if kind == ": note: " { return .note }
    return .finding(place.dropLast(place.count > 2 ? 2 : 1).joined(separator: ":"))
  }
}
