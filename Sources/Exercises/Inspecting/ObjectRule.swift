// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The symbols and sections that the object file of an exercise's program may hold.
///
/// Problem: a list of attributes is never complete, while what they lead to is: code in a section that the loader runs
/// before the main function, and a symbol in whose place the C library's or ours should have been called. Choice: what the
/// compiler made of the file is judged. A symbol that other objects find is the main function or has the mangling of the
/// program's own module; a section is one that the compiler makes by itself.
enum ObjectRule {
  /// An obstacle to running a program.
  enum Finding: Sendable, Hashable {
    /// A symbol of this name, which is not the program's own.
    case symbol(String)
    /// A section of this name, which no program needs.
    case section(String)
    /// The file is not as the compiler writes it.
    case unknown
  }

  /// Tells programs that were judged by this rule from those that were not: it is a part of the build they were compiled for.
  static let version = "object rule 2"
  /// The most bytes of an object file; a long exercise has a twentieth of it.
  private static let largest = 32 << 20
  /// Sections that a compiler makes without being asked, by the beginnings of their names. Those of debugging and of notes
  /// are never loaded or never run.
  private static let sections = [
    ".bss", ".comment", ".data", ".debug", ".eh_frame", ".gcc_except_table", ".group", ".linker-options", ".llvm",
    ".note", ".rela", ".rodata", ".shstrtab", ".strtab", ".swift", ".symtab", ".tbss", ".tdata", ".text", "swift5_",
  ]
  /// The kinds of sections that the loader runs: SHT_INIT_ARRAY, SHT_FINI_ARRAY and SHT_PREINIT_ARRAY (elf(5)).
  private static let run: ClosedRange<UInt32> = 14...16
  /// The program's module as it stands in a mangled name, as a whole or by the words of an earlier name
  /// (Swift's docs/ABI/Mangling.rst, "Identifiers").
  private static let ownMarks = ["\(ProgramBuilder.module.count)\(ProgramBuilder.module)", "07Student"]
  /// The symbols that the compiler puts beside a program, once for all objects: copies of generic functions, helpers,
  /// addresses. Names of types and conformances have a space in them, which no function has that other code calls.
  private static let shared = ["$s", "__swift_", "_swift_", "got.", "DW.ref."]

  /// Finds the obstacle in the object file at `path`; nil where there is none.
  static func finding(in path: String) -> Finding? {
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: largest + 1),
      data.count <= largest, let file = ObjectFile(Array(data))
    else { return .unknown }
    return finding(in: file)
  }

  static func finding(in file: ObjectFile) -> Finding? {
    if let section = file.sections.first(where: isForeign) { return .section(section.name) }
    return file.symbols.first(where: isForeign).map { .symbol($0.name) }
  }

  private static func isForeign(_ section: ObjectFile.Section) -> Bool {
    let isOrdinary = section.name.isEmpty || sections.contains(where: section.name.hasPrefix)
    return run.contains(section.kind) || !isOrdinary
  }

  private static func isForeign(_ symbol: ObjectFile.Symbol) -> Bool {
    guard symbol.isDefined else { return false }
    switch symbol.binding {
    case .local: return false
    case .weak: return !symbol.name.contains(" ") && !shared.contains(where: symbol.name.hasPrefix)
    case .global:
      let isOwn = symbol.name.hasPrefix("$s") && ownMarks.contains(where: symbol.name.contains)
      return !isOwn && symbol.name != "main"
    }
  }

  /// Why a program is not accepted.
  static func refusal(of finding: Finding) -> Phrase {
    switch finding {
    case .symbol(let name):
      "it defines the symbol \(name), by which other code than its own would call it; leave out what names it so"
    case .section(let name):
      "it puts something into the section \(name) of its object file, which is closed to exercises; leave that out"
    case .unknown: "what the compiler made of it was not understood, so it was not run; make it simpler"
    }
  }
}

extension ObjectRule.Finding {
  /// The finding as it is kept beside a compiled program.
  var text: String {
    switch self {
    case .symbol(let name): "symbol \(name)"
    case .section(let name): "section \(name)"
    case .unknown: "unknown"
    }
  }

  /// The finding that is kept as this text.
  init(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("symbol", 2): self = .symbol(parts[1])
    case ("section", 2): self = .section(parts[1])
    default: self = .unknown
    }
  }
}
