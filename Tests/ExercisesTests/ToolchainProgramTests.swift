// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// The program that is compiled for the toolchain's column, and the meaning of the compiler's words about it.
@Suite struct ToolchainProgramTests {
  @Test func `the errors of several files are told apart`() {
    let output = """
      /tmp/a/One.swift:3:15: error: value of type 'URLSession' has no member 'bytes'
       3 |   session.bytes(from: url)
      /tmp/a/Two.swift:7:1: warning: unused
      /tmp/a/Two.swift:9:2: error: cannot find 'x' in scope
      <unknown>:0: error: trouble of its own
      """
    let found = CompilerFinding.errors(in: output)
    #expect(found.map(\.file) == ["One.swift", "Two.swift"])
    #expect(found.map(\.line) == [3, 9])
    #expect(found.map(\.shortText) == ["no member 'bytes'", "cannot find 'x' in scope"])
  }

  @Test func `each line of the main function names its example`() throws {
    let parts = ["session/a", "session/b"].map {
      ToolchainProgram.Part(id: $0, expression: "A.run", files: ["\($0.last ?? "a").swift"])
    }
    let program = ToolchainProgram(parts, ["a.swift": "", "b.swift": ""])
    let lines = program.entry.split(separator: "\n", omittingEmptySubsequences: false)
    for part in parts {
      let line = try #require(lines.firstIndex { $0.contains(part.id) })
      #expect(program.part(atLine: line + 1) == part)
    }
    #expect(program.part(atLine: 1) == nil)
    #expect(program.without(["session/a"]).files.keys.sorted() == ["b.swift"])
  }

  @Test func `every Session example of every lesson has a program`() throws {
    let root = LessonText().root
    for lesson in Course.catalog.lessons {
      let program = try ToolchainProgram(of: lesson, below: root)
      let own = lesson.examples.filter { $0.side == .session && $0.origin == nil }
      #expect(program.parts.map(\.id) == own.map(\.id))
      #expect(program.parts.allSatisfy { !$0.expression.isEmpty && !$0.files.isEmpty }, "\(lesson.id)")
    }
  }
}
