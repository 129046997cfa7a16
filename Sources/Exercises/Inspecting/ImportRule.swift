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

  private static var list: String { allowed.joined(separator: ", ") }
}
