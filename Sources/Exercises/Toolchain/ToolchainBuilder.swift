// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Compiles a lesson's Session examples from their own files against the toolchain's FoundationNetworking.
///
/// `import SessionAPI` is answered by a module of that name which re-exports FoundationNetworking. A recorder, compiled
/// beside the examples, stands between sessions and delegates. What is compiled is kept.
struct ToolchainBuilder: Sendable {
  /// The outcome of compiling a lesson's examples.
  struct Outcome: Sendable, Hashable {
    /// The executable, nil when no example compiles.
    var executable: String?
    /// Why an example is not in it, by its id: the compiler's first error.
    var refusals: [String: String] = [:]
  }

  private static let module = "ToolchainExamples"
  /// Files of the module that re-exports FoundationNetworking, and of the recorder, below `Lessons/Toolchain`.
  private static let (standIn, standInObject) = ("SessionAPI.swift", "standin.o")
  private static let recorder = [
    "LeftOutMethods.swift", "ObservedLoads.swift", "ObservedTasks.swift", "SessionRecorder.swift",
  ]
  private static let refusalMark = "refused: "

  private let built: BuiltWorkbench
  private let cache: ProgramCache
  private let tools: Toolchain
  private let limits: ToolRun.Limits

  /// A builder for this build of the workbench.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the toolchain is missing.
  init(
    built: BuiltWorkbench, cache: ProgramCache = ProgramCache(), limits: ToolRun.Limits = ToolRun.Limits(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LessonKitError) {
    (self.built, self.limits) = (built, limits)
    self.cache = cache.keeping(.toolchain)
    tools = try Toolchain(environment: environment)
  }

  /// The inputs that the programs of all lessons share: they are looked at once, before the first of them.
  struct SharedInputs: Sendable, Hashable {
    /// The recorder's sources and the stand-in's, by name.
    fileprivate var sources: [String: String]
    /// The text that tells this build from another.
    fileprivate var build: String
  }

  /// Makes ready what all programs are linked with.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the machine lacks something; `CancellationError`.
  func prepare() async throws -> SharedInputs {
    let sources = try recorderSources()
    let objects = try await ProgramArchive(built: built, tools: tools).prepare()
    let compiler = FileStamp(tools.compiler)?.description ?? tools.compiler
    return SharedInputs(
      sources: sources, build: ([compiler, objects] + flags + sources.values.sorted()).joined(separator: "\n"))
  }

  /// Finds the outcome of the same program when it was compiled for the same build before; nil where it was not.
  func find(_ program: ToolchainProgram, with inputs: SharedInputs) -> Outcome? {
    cache.find(program.text, build: inputs.build).map(Outcome.init)
  }

  /// Compiles the module that answers `import SessionAPI`, once for several programs.
  ///
  /// - Returns: its folder, which the caller removes.
  /// - Throws: `LessonKitError` with code `environment` when the machine lacks something; `CancellationError`.
  func makeStandIn(with inputs: SharedInputs) async throws -> URL {
    let work = try cache.makeWorkFolder()
    do {
      try write(inputs.sources[Self.standIn] ?? "", to: work.appendingPathComponent(Self.standIn))
      try await compileStandIn(in: work)
      return work
    } catch {
      try? FileManager.default.removeItem(at: work)
      throw error
    }
  }

  /// Compiles the program and keeps it. An example that does not compile is left out.
  ///
  /// - Parameter standIn: the folder that `makeStandIn` has made.
  /// - Throws: `LessonKitError` with code `environment` when the machine lacks something; `CancellationError`.
  func build(_ program: ToolchainProgram, with inputs: SharedInputs, standIn: URL) async throws -> Outcome {
    let work = try cache.makeWorkFolder()
    defer { try? FileManager.default.removeItem(at: work) }
    for name in Self.recorder {
      try write(inputs.sources[name] ?? "", to: work.appendingPathComponent("recorder/\(name)"))
    }
    let refusals = try await compile(program, in: work, with: standIn)
    guard refusals.count < program.parts.count else { return Outcome(executable: nil, refusals: refusals) }
    try await link(in: work, with: standIn)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: work.path)) ?? []
    where name != ProgramCache.Entry.program {
      try? FileManager.default.removeItem(at: work.appendingPathComponent(name))
    }
    let remarks = refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    return Outcome(try cache.keep(work, program.text, build: inputs.build, warnings: remarks))
  }

  // MARK: - Compiling

  private var flags: [String] {
    [
      "-swift-version", "6", "-O", "-whole-module-optimization", "-parse-as-library", "-diagnostic-style", "llvm",
      "-module-cache-path", cache.modules.path,
    ]
      + [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "InferIsolatedConformances",
        "NonisolatedNonsendingByDefault",
      ].flatMap { ["-enable-upcoming-feature", $0] }
  }

  private func compileStandIn(in work: URL) async throws {
    let run = try await ToolRun(
      tools.compiler,
      flags + [
        "-module-name", "SessionAPI", "-emit-module", "-emit-module-path", work.path + "/SessionAPI.swiftmodule",
        "-c", "\(work.path)/\(Self.standIn)", "-o", "\(work.path)/\(Self.standInObject)",
      ], limits, temporary: work.path)
    guard run.succeeded else { throw cannotWork("compiling for FoundationNetworking", run.output) }
  }

  /// Compiles what compiles of the program, and answers why the rest does not.
  private func compile(
    _ program: ToolchainProgram, in work: URL, with standIn: URL
  ) async throws -> [String: String] {
    var refusals: [String: String] = [:]
    while refusals.count < program.parts.count {
      let left = program.without(Set(refusals.keys))
      let folder = work.appendingPathComponent("files-\(refusals.count)")
      for (name, source) in left.files { try write(source, to: folder.appendingPathComponent(name)) }
      try write(left.entry, to: folder.appendingPathComponent(ToolchainProgram.entryName))
      let files = left.files.keys.sorted() + [ToolchainProgram.entryName]
      let run = try await ToolRun(
        tools.compiler,
        flags + ["-module-name", Self.module, "-I", standIn.path] + built.searchFlags + ["-c"]
          + files.map { folder.path + "/" + $0 } + Self.recorder.map { work.path + "/recorder/" + $0 }
          + ["-o", work.path + "/program.o"], limits, temporary: work.path)
      if run.succeeded { break }
      let found = refused(by: CompilerFinding.errors(in: run.output), in: left)
      // An error that belongs to no example concerns all of them.
      let others = left.parts.map { ($0.id, CompilerFinding.errors(in: run.output).first?.shortText ?? "") }
      refusals.merge(found.isEmpty ? Dictionary(uniqueKeysWithValues: others) : found) { first, _ in first }
    }
    return refusals
  }

  /// The examples that have one of the errors in their files, each with the first.
  private func refused(by errors: [CompilerFinding], in program: ToolchainProgram) -> [String: String] {
    var refused: [String: String] = [:]
    for error in errors {
      let isEntry = error.file == ToolchainProgram.entryName
      let parts =
        isEntry
        ? [program.part(atLine: error.line)].compactMap(\.self) : program.parts.filter { $0.files.contains(error.file) }
      for part in parts where refused[part.id] == nil { refused[part.id] = error.shortText }
    }
    return refused
  }

  private func link(in work: URL, with standIn: URL) async throws {
    let run = try await ToolRun(
      tools.compiler,
      [
        work.path + "/program.o", "\(standIn.path)/\(Self.standInObject)", "-Xlinker", "--whole-archive",
        built.archive.path,
      ]
        + ["-Xlinker", "--no-whole-archive"] + built.libraryFlags
        + ["-lFoundationNetworking", "-use-ld=lld", "-Xlinker", "--strip-all", "-o"]
        + [work.appendingPathComponent(ProgramCache.Entry.program).path], limits, temporary: work.path)
    guard run.succeeded else { throw cannotWork("the linker", run.output) }
  }

  // MARK: - Files

  private func recorderSources() throws(LessonKitError) -> [String: String] {
    let folder = built.package.appendingPathComponent("Lessons/Toolchain")
    var sources: [String: String] = [:]
    for name in Self.recorder + [Self.standIn] {
      let file = folder.appendingPathComponent(name)
      guard let text = try? String(contentsOf: file, encoding: .utf8) else {
        throw LessonKitError(
          .environment, "\(file.path) cannot be read; the toolchain’s column is compiled with it. Is the package whole?"
        )
      }
      sources[name] = text
    }
    return sources
  }

  private func write(_ text: String, to file: URL) throws {
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    } catch {
      throw cannotWork("writing \(file.path)", error.localizedDescription)
    }
  }

  private func cannotWork(_ what: String, _ output: String) -> LessonKitError {
    LessonKitError(
      .environment,
      "The examples could not be built for the toolchain’s column; \(what) failed:\n\(output.trimmingCharacters(in: .whitespacesAndNewlines))"
    )
  }
}

extension ToolchainBuilder.Outcome {
  /// The outcome kept of an earlier compilation: the refusals are its remarks, a line each.
  fileprivate init(_ entry: ProgramCache.Entry) {
    executable = entry.executable
    // The lessons of a run come one after the other, and all their programs are compiled before the first.
    entry.hold.untilExit()
    for line in entry.remarks.split(separator: "\n") {
      guard let space = line.firstIndex(of: " ") else { continue }
      refusals[String(line[..<space])] = String(line[line.index(after: space)...])
    }
  }
}
