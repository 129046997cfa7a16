// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// The rule's findings in the objects that the compiler made of a program.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ObjectRuleTests {
  private func finding(of source: String) async throws -> ObjectRule.Finding? {
    let file = StudentFile(path: "mine.swift", source: "// \(UUID())\n\(ProgramTemplate.program)\(source)\n")
    return try await ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests).build(file).finding
  }

  @Test(arguments: [
    ("@c func getpid() -> Int32 { 1 }", "getpid"), ("@c(getppid) func f() -> Int32 { 1 }", "getppid"),
    ("@`c` func getuid() -> UInt32 { 1 }", "getuid"), ("@c/**/func getgid() -> UInt32 { 1 }", "getgid"),
    ("@_cdecl(\"syscall\") func f() -> Int { 0 }", "syscall"), ("@`_cdecl`(\"HMAC\") func f() -> Int { 0 }", "HMAC"),
    ("@_silgen_name(\"signal\") func f() {}", "signal"), ("@`_silgen_name`(\"HMAC\") func f() {}", "HMAC"),
    ("@_silgen_name(\"$s9LessonKit3abcyyF\") func f() {}", "$s9LessonKit3abcyyF"),
    ("@_silgen_name(\"a StudentProgram\") func f() {}", "a StudentProgram"),
    ("@_cdecl(\"workbench_stay_alone\") func f() -> Int32 { 0 }", "workbench_stay_alone"),
  ])
  func `a symbol by which other code would call the program is named`(_ source: String, _ symbol: String) async throws {
    // Where one of our own objects defines it as well, the linker refuses both.
    do throws(any Error) {
      #expect(try await finding(of: source) == .symbol(symbol))
    } catch let error as LessonKitError {
      #expect(error.code == .notCompiled && error.description.contains("duplicate symbol: \(symbol)"), "\(error)")
    }
  }

  @Test(arguments: [".init_array", ".init_array.00001", ".fini_array", ".preinit_array", ".ctors", ".dtors", "mine"])
  func `a section that the compiler does not make by itself is named`(_ section: String) async throws {
    for attributes in ["@section(\"%\") @used", "@`section`(\"%\") @`used`", "@_section(\"%\") @_used"] {
      let attributes = attributes.replacing("%", with: section)
      let source = "\(attributes) let early: @convention(c) () -> Void = { print(\"early\") }"
      #expect(try await finding(of: source) == .section(section), "\(attributes)")
    }
  }

  @Test func `what ordinary programs are made of is open, extensions of our types too`() async throws {
    let source = """
      protocol Sized { var size: Int { get } }
      extension Int: Sized { var size: Int { self } }
      extension LessonKit::OwnProgram { static func sum<T: Sized>(_ all: [T]) -> Int { all.reduce(0) { $0 + $1.size } } }
      extension ExampleContext { public func more() -> [String: Data] { ["a": Data()] } }
      @globalActor actor Own { static let shared = Own() }
      public struct Pair<A: Codable & Hashable>: Codable, Hashable { var all: [A: Int] = [:]; var time: Date? }
      public final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        public var table = [1: "one"]
        public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
      }
      @Own public func use() throws -> Data { try JSONEncoder().encode(Pair<String>()) + Data("\\(OwnProgram.sum([1]))".utf8) }
      """
    #expect(try await finding(of: source) == nil)
  }

  @Test func `the first and the last exercise, their solutions and near misses are open`() async throws {
    let course = try ExerciseCourse(folder: LessonText().root)
    for exercise in [course.exercises.first, course.exercises.last].compactMap({ $0 }) {
      for program in exercise.programs {
        let builder = try ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests)
        let file = StudentFile(path: exercise.path(of: program), source: try exercise.text(of: program))
        #expect(try await builder.build(file).finding == nil, "\(file.path)")
      }
    }
  }

  @Test func `a finding is kept beside the program, and the exercise is not run`() async throws {
    let folder = try TestFolder()
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
    let source = ProgramTemplate.idle(importing: .session) + "public func interpose() {} // \(UUID())\n"
    let file = try folder.write(source.utf8, to: "Exercise.swift")
    #expect(try await ExerciseChecker.ofTests().check(exercise, at: file).outcome == .failed)
    for finding in [ObjectRule.Finding.symbol("a b"), .section(".init_array"), .unknown] {
      #expect(ObjectRule.Finding(finding.text) == finding)
    }
    let builder = try ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests)
    let kept = URL(fileURLWithPath: try await builder.build(StudentFile(reading: file)).executable)
    let note = kept.deletingLastPathComponent().appendingPathComponent(ProgramCache.Entry.finding)
    try Data("symbol HMAC".utf8).write(to: note)
    let result = try await ExerciseChecker.ofTests().check(exercise, at: file)
    #expect(result.outcome == .notCompiled && result.score == 0)
    #expect(result.why.description.hasPrefix("it defines the symbol HMAC, by which other code than its own"))
  }
}

/// The reader of object files, with bytes that no compiler writes.
@Suite struct ObjectFileTests {
  private static func object() throws -> [UInt8] {
    // Any file of this form with sections and names will do; the test's own program is one.
    let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/exe"))
    return Array(try handle.read(upToCount: 64) ?? Data())
  }

  @Test func `what is no object file, or a part of one, is not understood`() throws {
    #expect(ObjectFile([]) == nil)
    #expect(ObjectFile(Array("!<arch>\n".utf8)) == nil)
    let head = try Self.object()
    for size in 0...head.count { #expect(ObjectFile(Array(head.prefix(size))) == nil) }
  }

  @Test func `sizes and places that lead out of the file are not followed`() {
    for value in [UInt8.min, 1, 0x40, 0x7F, 0x80, .max] {
      for place in 16..<192 {
        var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 250)
        (bytes[40], bytes[60], bytes[62], bytes[68]) = (64, 2, 1, 2)
        (bytes[88], bytes[96], bytes[132], bytes[152], bytes[160]) = (192, 48, 3, 240, 8)
        bytes[place] = value
        // It comes to an end; what it finds is of no matter.
        #expect((ObjectFile(bytes)?.sections.count ?? 0) <= 4)
      }
    }
  }
}
