// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Why a person's program could not be built: by the file, or by the machine.
///
/// A file at fault is a result like any other. Trouble of the machine ends a whole grading, so it takes words that the tools
/// have for it and that the file cannot have put into their mouths.
struct BuildTrouble {
  /// The words of tools when a library or a program of the machine is missing.
  private static let lacking = [
    "unable to find library", "cannot open", "invalid linker name", "unable to execute command",
    // A name of Swift's, which no file can name but through a module.
    "undefined symbol: $s",
  ]
  /// By these a file decides what tools call its places and functions.
  private static let disguises = ["sourceLocation", "_silgen_name", "_extern"]

  let cache: ProgramCache
  let limits: ToolRun.Limits

  /// A tool ended without a finding in the file: the file is at fault, unless the machine lacks something.
  func refused(_ file: StudentFile, by tool: String, _ output: String) -> LessonKitError {
    let words = [Self.full] + Self.lacking
    let isDisguised = (Self.disguises + words).contains(where: file.source.contains)
    if !isDisguised, words.contains(where: output.contains) { return cannotWork(tool, output) }
    let name = URL(fileURLWithPath: tool).lastPathComponent
    return LessonKitError(
      .notCompiled, Phrase(verbatim: "\(file.path):1:1: error: \(name) refuses this file:\n\(Self.trimmed(output))\n"))
  }

  /// A tool was ended from outside, or did not come to its end beside what else this machine does.
  func tooBusy(_ tool: String) -> LessonKitError {
    LessonKitError(
      .environment,
      "The program could not be built: \(tool) did not come to its end within \(Int(limits.wall / .seconds(1))) s on this "
        + "machine, or was ended for lack of memory. Try again when it does less.")
  }

  /// In the form of the compiler's own findings, which are English. Where the machine has less memory than a compiler may take, it is
  /// not the file's fault.
  func givenUp(_ file: StudentFile) -> LessonKitError {
    if let free = Self.freeMemory, free < limits.memory { return tooBusy("swiftc") }
    let sentence =
      "\(file.path):1:1: error: the compiler does not come to an end with this file within "
      + "\(limits.processorSeconds) s of processor time and \(limits.memory >> 20) MiB of memory, or it crashes. "
      + "Write long expressions as several short ones.\n"
    return LessonKitError(.notCompiled, Phrase(verbatim: sentence))
  }

  /// The machine is at fault.
  func cannotWork(_ what: String, _ output: String) -> LessonKitError {
    if output.contains(Self.full) { return cache.cannotWrite(Self.full) }
    return LessonKitError(
      .environment,
      "The program could not be built; \(what) failed:\n\(Self.trimmed(output))\n"
        + "Scripts/workbench builds the workbench again; workbench doctor names what this machine lacks.")
  }

  /// The bytes that processes may still take (proc_meminfo(5), MemAvailable); nil where the kernel does not say.
  private static var freeMemory: Int? {
    let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
    return text.firstMatch(of: /MemAvailable: +([0-9]+) kB/).flatMap { Int($0.1) }.map { $0 << 10 }
  }

  private static var full: String { String(cString: strerror(ENOSPC)) }

  private static func trimmed(_ output: String) -> String { output.trimmingCharacters(in: .whitespacesAndNewlines) }
}
