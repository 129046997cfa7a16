// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The place where a program ended itself in error, such as by an index out of range.
public struct TrapPlace: Sendable, Hashable {
  /// Finds the place of a program's addresses, the trap's first and then its callers'; nil where they are not in its source.
  public typealias Finder = @Sendable (_ addresses: [UInt64]) async -> TrapPlace?

  /// Why, in the words of the language; empty where the compiler has none.
  public var why: Phrase
  /// The source file and its line, such as `Exercise.swift:12`.
  public var line: String

  /// A place as given.
  public init(why: Phrase, line: String) {
    (self.why, self.line) = (why, line)
  }

  /// Takes the line that `workbench_tell_traps` wrote out of what a program printed, and returns its addresses. Those of callers
  /// are moved back into the call.
  static func takeAddresses(from printed: inout [String]) -> [UInt64] {
    guard let index = printed.lastIndex(where: { $0.hasPrefix(WORKBENCH_TRAP + " ") }) else { return [] }
    let addresses = printed.remove(at: index).split(separator: " ").dropFirst().prefix(65).compactMap {
      UInt64($0, radix: 16)
    }
    // The line before is the one that the trap ended, or an empty one.
    if index > 0, printed[index - 1].isEmpty { printed.remove(at: index - 1) }
    return addresses.prefix(1) + addresses.dropFirst().map { $0 > 0 ? $0 - 1 : 0 }
  }
}
