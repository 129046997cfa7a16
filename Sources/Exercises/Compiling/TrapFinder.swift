// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit

/// Finds the line of a person's file at which its program ended itself, and why.
///
/// Problem: optimized code says nothing of an index out of range, and a program's executable has no debugging information, which
/// would make it four times as large. Choice: the object file is kept, and linked once more when a program has ended
/// so, with everything that was left out; code lies at the same addresses. The compiler notes its reason there as a function that is
/// inlined at the trap.
struct TrapFinder: Sendable {
  private static let reason = "Swift runtime failure: "
  private static let recursion: Phrase = "a function that calls itself without end"

  let tools: Toolchain
  let linkerFlags: [String]
  let limits: ToolRun.Limits

  private struct Address: Decodable {
    struct Frame: Decodable {
      var FileName: String
      var FunctionName: String
      var Line: Int
    }
    var Symbol: [Frame]?
  }

  /// The place of these addresses; nil where a tool is missing or does not know it. Nobody's mark depends on it.
  func place(of addresses: [UInt64], in entry: ProgramCache.Entry) async -> TrapPlace? {
    guard let symbolizer = tools.symbolizer, let room = try? TemporaryFolder() else { return nil }
    defer { withExtendedLifetime(room) {} }
    // The compiler's driver leaves a file beside what it links.
    let object = room.url.appendingPathComponent(ProgramCache.Entry.object).path
    symlink(entry.folder.appendingPathComponent(ProgramCache.Entry.object).path, object)
    let whole = room.url.appendingPathComponent("whole").path
    let arguments = ["--obj=\(whole)", "--output-style=JSON"] + addresses.map { "0x" + String($0, radix: 16) }
    guard
      let link = try? await ToolRun(
        tools.compiler, [object] + linkerFlags + ["-o", whole], limits, temporary: room.url.path), link.succeeded,
      let run = try? await ToolRun(symbolizer, arguments, limits, temporary: room.url.path), run.succeeded,
      let found = try? JSONDecoder().decode([Address].self, from: Data(run.output.utf8))
    else { return nil }
    var place = Self.place(in: found)
    // What calls itself comes back to the same few places.
    let isRecursion = addresses.count > 40 && Set(addresses).count < 8
    if isRecursion, place?.why.isEmpty == true { place?.why = Self.recursion }
    return place
  }

  private static func place(in found: [Address]) -> TrapPlace? {
    let own = found.lazy.flatMap { $0.Symbol ?? [] }.first { isOwn($0.FileName) && $0.Line > 0 }
    guard let own else { return nil }
    let name = URL(fileURLWithPath: own.FileName).lastPathComponent
    let innermost = found.first?.Symbol?.first?.FunctionName ?? ""
    let why = innermost.hasPrefix(reason) ? words(String(innermost.dropFirst(reason.count))) : .empty
    return TrapPlace(why: why, line: "\(name):\(own.Line)")
  }

  /// True for the person's file where it was compiled, as no file of ours lies.
  private static func isOwn(_ file: String) -> Bool {
    let names = file.split(separator: "/").suffix(3)
    return names.count == 3 && names.first?.hasPrefix(ProgramCache.workPrefix) == true
      && names.dropFirst().first == "file"
  }

  /// The compiler's words for what students meet; others as it has them.
  private static func words(_ reason: String) -> Phrase {
    switch reason {
    case "Index out of range": "an index out of range"
    case "arithmetic overflow": "an arithmetic overflow"
    case "Division by zero", "Division by zero in remainder operation": "a division by zero"
    case "Unexpectedly found nil while unwrapping an Optional value",
      "Unexpectedly found nil while implicitly unwrapping an Optional value":
      "nil where an optional was unwrapped by force"
    case "failed cast": "a cast to a type that the value does not have"
    case "Negative value is not representable", "Not enough bits to represent the passed value",
      "Not enough bits to represent a signed value":
      "a number that the integer type has no room for"
    default: Phrase(verbatim: reason)
    }
  }
}
