// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The modules that an exercise may use.
///
/// Problem: a program is linked with all that the libraries stand on, the lesson server's generator of bodies too, with
/// which answers could be made without loading anything. Choice: an exercise imports what the lessons' programs import,
/// and nothing else. A program for `run` belongs to no check and imports what it likes.
enum ImportRule {
  private static let allowed = [
    "ConnectionAPI", "CoreFoundation", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "LessonKit",
    "SessionAPI", "Synchronization",
  ]

  /// Why a file with these imports is not accepted; nil when it is.
  static func refusal(of modules: Set<String>) -> Phrase? {
    guard let foreign = modules.subtracting(allowed + ["Swift"]).min() else { return nil }
    return "it imports \(foreign), which is closed to exercises; remove that import, these are open: \(list)"
  }

  /// Why a file is refused when the compiler made no list of its modules.
  static let unknown: Phrase =
    "the compiler did not list what it imports, so it was not run; check it again, and if that does not help, make it simpler"

  /// With these a file runs before its limits are set, stands in for the C library's functions, or reaches what it did not
  /// import.
  private static let attributes = [
    "section", "_section", "_cdecl", "c", "_silgen_name", "_extern", "extern", "testable",
  ]

  /// Why a file with this source is not accepted; nil when it is. Comments and strings count, for telling them apart is
  /// left to the compiler.
  static func refusal(of source: String) -> Phrase? {
    // With white space behind the at sign, the compiler takes no attribute.
    let words = source.split(separator: "@", omittingEmptySubsequences: false).dropFirst()
    let found = words.compactMap { text in
      let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let next = text[name.endIndex...].first
      return attributes.first { $0 == name && (name.count > 1 || next == "(" || next?.isWhitespace == true) }
    }
    guard let attribute = found.first else { return nil }
    return "it has the attribute @\(attribute), which is closed to exercises; remove it"
  }

  private static var list: String { allowed.joined(separator: ", ") }
}
