// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Exercises

/// Compiles for real, against the modules of the build that the tests belong to.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProgramBuilderTests {
  private func build(_ source: String, path: String = "folder/mine.swift") async throws -> BuiltProgram {
    try await ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests).build(StudentFile(path: path, source: source))
  }

  private func error(building source: String, path: String = "folder/mine.swift") async throws -> LessonKitError {
    let error = await #expect(throws: LessonKitError.self) { _ = try await build(source, path: path) }
    return try #require(error)
  }

  /// A source that no cache knows.
  private func fresh(_ source: String = ProgramTemplate.program) -> String { "// \(UUID())\n" + source }

  @Test func `an unchanged file is not compiled again, wherever it lies`() async throws {
    let source = fresh()
    let first = try await build(source)
    #expect(!first.wasKept)
    #expect(first.warnings.isEmpty, "the program that a person is shown compiles without a warning")
    let second = try await build(source, path: "elsewhere.swift")
    #expect(second.executable == first.executable && second.warnings.isEmpty && second.wasKept)
    #expect(try await !build(source + "//").wasKept)
  }

  @Test func `warnings name the file as the person does, also when nothing was compiled`() async throws {
    let source = fresh(ProgramTemplate.program + "func f() { let a = 1 }\n")
    #expect(try await build(source).warnings.hasPrefix("folder/mine.swift:16:16: warning: "))
    let again = try await build(source, path: "a b.swift")
    #expect(again.wasKept && again.warnings.hasPrefix("a b.swift:16:16: warning: "))
  }

  @Test func `what the compiler refuses comes in its words, and nothing of the file beside it`() async throws {
    let source = "import SessionAPI\nenum Exercise { static func run(_ app: ExampleContext) { let a: Int = \"\" } }\n"
    let error = try await error(building: source)
    #expect(error.code == .notCompiled)
    #expect(error.description.hasPrefix("folder/mine.swift:2:40: error: cannot find type 'ExampleContext' in scope\n"))
    #expect(!error.description.contains("WorkbenchEntry"))
  }

  @Test func `a file with which the compiler comes to no end is refused`() async throws {
    var limits = ToolRun.Limits()
    limits.processorSeconds = 1
    // Takes the compiler eight seconds.
    let deep = (0..<4000).map { "func f\($0)<A, B>(_ a: A, _ b: B) -> Int { [[1: a]].count + [b].count }" }
    let source = ([fresh()] + deep).joined(separator: "\n")
    let builder = try ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests, limits: limits)
    let error = await #expect(throws: LessonKitError.self) {
      _ = try await builder.build(StudentFile(path: "slow.swift", source: source))
    }
    #expect(error?.code == .notCompiled)
    #expect(error?.description.hasPrefix("slow.swift:1:1: error: the compiler does not come to an end") == true)
  }

  @Test(arguments: [
    "", "enum Exercise {}", "enum Exercise { static func run() {} }", "enum Other { static func run(_ a: Int) {} }",
    "import LessonKit\nenum Exercise { @MainActor static func run(_ app: ExampleContext) {} }",
  ])
  func `a file without the function that is started gets a template`(_ rest: String) async throws {
    let error = try await error(building: "import SessionAPI\n" + rest)
    #expect(error.code == .noProgram)
    #expect(error.description.hasPrefix("“folder/mine.swift” lacks what the workbench starts: an enum Exercise"))
    #expect(error.description.hasSuffix(ProgramTemplate.program))
  }

  @Test func `a file that imports neither library gets a template`() async throws {
    let source = ProgramTemplate.program.replacing("import SessionAPI", with: "import FoundationNetworking")
    let error = try await error(building: source)
    #expect(error.code == .noProgram)
    #expect(error.description.hasPrefix("“folder/mine.swift” imports neither ConnectionAPI nor SessionAPI"))
  }

  @Test(arguments: ["main.swift", "WorkbenchEntry.swift", "StudentProgram.swift", "-o.swift", "a\nb: \"c.swift", "x/y"])
  func `no name of a file is in the way`(_ path: String) async throws {
    #expect(try await !build(fresh(), path: path).wasKept)
  }

  @Test func `what the linker refuses is the file's fault, in the linker's words`() async throws {
    let source = "@_silgen_name(\"nowhere\") func nowhere()\npublic func call() { nowhere() }\n"
    let error = try await error(building: fresh() + source)
    #expect(error.code == .notCompiled)
    #expect(error.description.hasPrefix("folder/mine.swift:1:1: error: the linker refuses this file:\n"))
    #expect(error.description.contains("undefined symbol: nowhere"))
  }

  @Test(arguments: ["x", "No space left on device"])
  func `an error at a place of the file's own making is the file's fault`(_ place: String) async throws {
    let source = fresh() + "#sourceLocation(file: \"\(place)\", line: 1)\nlet a: Int = \"\"\n"
    let error = try await error(building: source)
    #expect(error.code == .notCompiled)
    #expect(error.description.contains("\(place):1:14: error: cannot convert value of type 'String'"))
  }

  @Test func `the modules of a file are what the compiler finds`() async throws {
    let source = """
      import class SessionAPI.URLSession
      let hidden = #/""\"/#
      @preconcurrency import
        LessonServer
      import struct `Transport`.Transfer; import Glibc.POSIX.unistd
      // import Locking
      """
    let builder = try ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests)
    let modules = try await builder.modules(importedBy: StudentFile(path: "a.swift", source: source))
    #expect(modules == ["SessionAPI", "LessonServer", "Transport", "Glibc"])
  }

  @Test func `both libraries may be imported`() async throws {
    let source = """
      import ConnectionAPI
      import LessonKit
      import SessionAPI
      enum Exercise { static func run(_ app: ExampleContext) { _ = (NSURLConnection.self, URLSession.self) } }

      """
    #expect(try await !build(fresh(source)).wasKept)
  }
}

@Suite struct ProgramNeedsTests {
  @Test func `a machine without the compiler is told so`() throws {
    do throws(LessonKitError) {
      _ = try ProgramBuilder(built: BuiltWorkbench(), environment: ["PATH": "/nowhere"])
      Issue.record("a compiler was found")
    } catch {
      #expect(error.code == .environment)
      #expect(
        error.description.hasPrefix("A program of your own is compiled by swiftc, which is in no folder of PATH."))
    }
  }

  @Test func `an executable without its build beside it says what builds it`() throws {
    let folder = try TestFolder()
    do throws(LessonKitError) {
      _ = try BuiltWorkbench(products: folder.url)
      Issue.record("a build was found")
    } catch {
      #expect(error.code == .environment)
      #expect(error.description.contains("\(folder.url.path)/Modules/LessonKit.swiftmodule is missing"))
      #expect(error.description.contains("Scripts/workbench"))
    }
  }

  @Test func `the archive is made once, and again when an object has changed`() async throws {
    let folder = try TestFolder()
    for file in [
      "a/b/c/Modules/LessonKit.swiftmodule", "a/b/c/Modules/WarmUps.swiftmodule", "Sources/CCurl/module.modulemap",
      "a/b/c/Locking.build/One.o",
    ] { try folder.write([], to: file) }
    let built = try BuiltWorkbench(products: folder.url.appendingPathComponent("a/b/c"))
    let archive = ProgramArchive(built: built, tools: try Toolchain())
    let objects = try await archive.prepare()
    let first = try #require(FileStamp(built.archive.path)?.description)
    #expect(try await archive.prepare() == objects)
    #expect(FileStamp(built.archive.path)?.description == first)
    try folder.write([], to: "a/b/c/Locking.build/Two.o")
    #expect(try await archive.prepare() != objects)
    #expect(FileStamp(built.archive.path)?.description != first)
    let left = try FileManager.default.contentsOfDirectory(atPath: built.products.path)
    #expect(Set(left) == ["Modules", "Locking.build", "libworkbench-programs.a", "libworkbench-programs.a.list"])
  }

  @Test func `objects of sources that were moved or removed are left out`() throws {
    let folder = try TestFolder()
    for file in [
      "a/b/c/Modules/LessonKit.swiftmodule", "a/b/c/Modules/WarmUps.swiftmodule", "Sources/CCurl/module.modulemap",
      "Sources/Locking/Deep/New.swift", "a/b/c/Locking.build/New.swift.o", "a/b/c/Locking.build/Old.swift.o",
      "a/b/c/CYaml.build/src/api.c.o",
    ] { try folder.write([], to: file) }
    let built = try BuiltWorkbench(products: folder.url.appendingPathComponent("a/b/c"))
    #expect(
      built.objects.map { $0.replacing("\(built.products.path)/", with: "") } == [
        "Locking.build/New.swift.o", "CYaml.build/src/api.c.o",
      ])
  }

  @Test func `a machine without a library is no fault of the file`() {
    let trouble = BuildTrouble(cache: .ofTests, limits: ToolRun.Limits())
    let file = StudentFile(path: "mine.swift", source: "import SessionAPI")
    #expect(
      trouble.refused(file, by: "the linker", "ld.lld: error: unable to find library -lcurl").code == .environment)
  }

  @Test func `a compiler that finds the disk full is told with the cure`() async throws {
    // The archive is there from now on.
    _ = try await ProgramArchive(built: BuiltWorkbench(), tools: Toolchain()).prepare()
    let folder = try TestFolder()
    for (name, script) in [("swiftc", "echo 'error: No space left on device' >&2; exit 1"), ("ar", "exit 0")] {
      try folder.writeProgram(script, to: name)
    }
    let builder = try ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests, environment: ["PATH": folder.url.path])
    let error = await #expect(throws: LessonKitError.self) {
      _ = try await builder.build(StudentFile(path: "mine.swift", source: "import SessionAPI // \(UUID())"))
    }
    #expect(error?.code == .environment)
    #expect(
      error?.description.contains("No space left on device. Free some space there, or set XDG_CACHE_HOME") == true)
  }
}
