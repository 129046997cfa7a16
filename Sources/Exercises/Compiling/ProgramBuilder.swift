// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// A person's program as an executable that the workbench can measure. The executable is there for as long as this value.
public struct BuiltProgram: Sendable {
  /// The executable's path.
  public var executable: String
  /// The compiler's remarks about the file, each line ended; empty when it has nothing to say.
  public var warnings: String
  /// True if the program was found as it had been compiled before.
  public var wasKept: Bool
  /// The finding that keeps an exercise from being run, in the object file that the compiler made of it; nil where
  /// nothing does.
  var finding: ObjectRule.Finding? { entry.finding }
  private let entry: ProgramCache.Entry
  private let finder: TrapFinder

  init(_ entry: ProgramCache.Entry, _ finder: TrapFinder, warnings: String, wasKept: Bool) {
    (self.entry, self.finder, self.warnings, self.wasKept) = (entry, finder, warnings, wasKept)
    executable = entry.executable
  }

  /// Notes the modules that the compiler found the program to import, unless they are noted: a second check does not start
  /// the compiler.
  func note(_ modules: Set<String>) { entry.note(modules) }

  /// Finds the line of the person's file at which the program ended itself.
  public var places: TrapPlace.Finder { { [finder, entry] in await finder.place(of: $0, in: entry) } }

  /// Keeps the executable where it is until this process ends.
  public func keepUntilExit() { entry.hold.untilExit() }
}

/// Compiles a person's own file, alone, against the modules of the workbench's build, and links it with their archive.
///
/// The file is copied before it is compiled, so what is kept in the cache is what was compiled, even if the person saves
/// the file meanwhile. It is optimized as the lessons' programs are, and its async functions stay on their caller's executor
/// as theirs do, so figures can be compared.
public struct ProgramBuilder: Sendable {
  /// The name of the program's module; none of the workbench's has it.
  static let module = "StudentProgram"
  private static let entry = "WorkbenchEntry.swift"
  /// Stands for the file's path in what is kept, for the same program may lie elsewhere the next time.
  private static let pathMark = "\u{1A}"

  private let built: BuiltWorkbench
  private let cache: ProgramCache
  private let tools: Toolchain
  private let limits: ToolRun.Limits

  /// A builder for programs of this build of the workbench.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the toolchain is missing.
  public init(
    built: BuiltWorkbench, cache: ProgramCache = ProgramCache(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LessonKitError) {
    try self.init(built: built, cache: cache, environment: environment, limits: ToolRun.Limits())
  }

  init(
    built: BuiltWorkbench, cache: ProgramCache, environment: [String: String] = ProcessInfo.processInfo.environment,
    limits: ToolRun.Limits
  ) throws(LessonKitError) {
    self.limits = limits
    self.built = built
    self.cache = cache
    tools = try Toolchain(environment: environment)
  }

  /// Makes what every program needs, and compiles one, so that a person's first is quick as well.
  ///
  /// - Throws: as `build`.
  public func prepare() async throws {
    _ = try await build(StudentFile(path: "Program.swift", source: ProgramTemplate.program))
  }

  /// The executable of the file; compiled unless the same file was compiled for the same build before.
  ///
  /// - Throws: `LessonKitError` with code `notCompiled`, `noProgram` or `environment`; `CancellationError`.
  public func build(_ file: StudentFile) async throws -> BuiltProgram {
    let imports = file.imports
    guard !imports.isEmpty else { throw ProgramTemplate.missingImport(in: file.path) }
    let build = try await identity()
    if let entry = cache.find(file.source, build: build) { return program(entry, file, wasKept: true) }
    let work = try cache.makeWorkFolder()
    defer { try? FileManager.default.removeItem(at: work) }
    let warnings = try await compile(file, warmingUp: imports, in: work)
    let finding = ObjectRule.finding(in: work.appendingPathComponent(ProgramCache.Entry.object).path)
    try await link(file, in: work)
    removeRemains(in: work)
    if let finding { try write(finding.text, to: work.appendingPathComponent(ProgramCache.Entry.finding)) }
    return program(
      try cache.keep(work, file.source, build: build, warnings: warnings), file, wasKept: false)
  }

  private func program(_ entry: ProgramCache.Entry, _ file: StudentFile, wasKept: Bool) -> BuiltProgram {
    BuiltProgram(
      entry, TrapFinder(tools: tools, linkerFlags: linkerFlags, limits: limits),
      warnings: entry.remarks.replacing(Self.pathMark, with: file.path), wasKept: wasKept)
  }

  /// All that the outcome depends on beside the source.
  private func identity() async throws -> String {
    let objects = try await ProgramArchive(built: built, tools: tools).prepare()
    let compiler = FileStamp(tools.compiler)?.description ?? tools.compiler
    return ([compiler, objects, ObjectRule.version] + compilerFlags + linkerFlags).joined(separator: "\n")
  }

  /// The modules that the file imports, as the compiler understands it; nil where it made no list, because it does not
  /// understand the file, or because a limit ended it. It is not asked where the list was noted beside the program.
  ///
  /// Words in the text would not do: a regular expression with a quotation mark in it hides what follows.
  func modules(importedBy file: StudentFile) async throws -> Set<String>? {
    if let known = cache.find(file.source, build: try await identity())?.modules { return known }
    let work = try cache.makeWorkFolder()
    defer { try? FileManager.default.removeItem(at: work) }
    let source = work.appendingPathComponent(Self.module + ".swift")
    let list = work.appendingPathComponent("modules")
    try write(file.source, to: source)
    let arguments = compilerFlags + ["-emit-imported-modules", source.path, "-o", list.path]
    let run = try await ToolRun(tools.compiler, arguments, limits, temporary: work.path)
    if run.isEndedByMachine { throw trouble.tooBusy(tools.compiler) }
    guard run.succeeded, let text = try? String(contentsOf: list, encoding: .utf8) else { return nil }
    return Set(text.split(whereSeparator: \.isNewline).map(String.init))
  }

  // MARK: - Compiling

  private var compilerFlags: [String] {
    [
      "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", "-O",
      "-whole-module-optimization", "-parse-as-library", "-module-name", Self.module, "-diagnostic-style", "llvm",
      "-gline-tables-only",
      "-module-cache-path", cache.modules.path,
    ] + built.searchFlags
  }

  /// Compiles the file and the main function beside it, and returns the warnings.
  private func compile(
    _ file: StudentFile, warmingUp imports: Set<StudentFile.API>, in work: URL
  ) async throws -> String {
    let source = work.appendingPathComponent("file/" + Self.fileName(for: file))
    let entry = work.appendingPathComponent(Self.entry)
    try write(file.source, to: source)
    try write(ProgramTemplate.entry(warmingUp: imports), to: entry)
    let object = work.appendingPathComponent(ProgramCache.Entry.object).path
    let run = try await ToolRun(
      tools.compiler, compilerFlags + ["-c", source.path, entry.path, "-o", object], limits, temporary: work.path)
    let output = CompilerOutput(run.output, about: source.path, beside: entry.path)
    guard !run.succeeded else { return output.text(replacing: source.path, by: Self.pathMark) }
    if output.hasErrors {
      let isAtTopLevel = output.text(replacing: source.path, by: file.path).contains("not allowed at the top level")
      if isAtTopLevel, !SwiftText(file.source).words.contains("Exercise") {
        throw ProgramTemplate.atTopLevel(file)
      }
      throw LessonKitError(
        .notCompiled, Phrase(verbatim: output.text(replacing: source.path, by: file.path)))
    }
    if run.isEndedByMachine { throw trouble.tooBusy(tools.compiler) }
    if run.signal != nil { throw trouble.givenUp(file) }
    if output.hasOthers { throw ProgramTemplate.missingProgram(in: file.path) }
    throw trouble.refused(file, by: tools.compiler, run.output.replacing(source.path, with: file.path))
  }

  /// Keeps the file's name for what the program itself says of its places, unless it would be in the way.
  private static func fileName(for file: StudentFile) -> String {
    let isPlain = file.name.allSatisfy { $0.isLetter || $0.isNumber || "_-+. ".contains($0) } && !file.name.isEmpty
    let name = isPlain ? file.name + ".swift" : Self.module + ".swift"
    return name == entry ? Self.module + ".swift" : name
  }

  // MARK: - Linking

  /// Every object of the archive comes in: a protocol's conformance may be looked up while the program runs, and nothing
  /// else names the object it is in.
  private var linkerFlags: [String] {
    ["-Xlinker", "--whole-archive", built.archive.path, "-Xlinker", "--no-whole-archive"]
      + built.libraryFlags + ["-use-ld=lld"]
  }

  /// Names are left out of the executable, which makes it a quarter of the size.
  private func link(_ file: StudentFile, in work: URL) async throws {
    let object = work.appendingPathComponent(ProgramCache.Entry.object).path
    let program = work.appendingPathComponent(ProgramCache.Entry.program).path
    let run = try await ToolRun(
      tools.compiler, [object] + linkerFlags + ["-Xlinker", "--strip-all", "-o", program], limits, temporary: work.path)
    if run.isEndedByMachine { throw trouble.tooBusy("the linker") }
    guard run.succeeded else { throw trouble.refused(file, by: "the linker", run.output) }
  }

  /// Leaves the program and its object file alone in the folder. The compiler's driver, too, forgets a folder for temporary files there.
  private func removeRemains(in work: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: work.path)) ?? []
    for name in names where ![ProgramCache.Entry.program, ProgramCache.Entry.object].contains(name) {
      try? FileManager.default.removeItem(at: work.appendingPathComponent(name))
    }
  }

  private func write(_ text: String, to file: URL) throws {
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    } catch {
      throw trouble.cannotWork("writing \(file.path)", error.localizedDescription)
    }
  }

  private var trouble: BuildTrouble { BuildTrouble(cache: cache, limits: limits) }
}
