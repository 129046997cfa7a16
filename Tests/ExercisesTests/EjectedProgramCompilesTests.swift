// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// Ejected programs, compiled: one for each form in which a lesson declares its examples.
@Suite(.timeLimit(.minutes(4))) struct EjectedProgramCompilesTests {
  @Test(arguments: [
    ("19", "connection/policy-protocol"), ("19", "session/policy-revalidate"), ("22", "session/new-process"),
    ("23", "connection/parts-7"), ("23", "session/changed"), ("23", "connection/unchecked"), ("26", "session/resumed"),
    ("27", "session/touched"),
  ])
  func `an ejected program compiles`(_ number: String, _ id: String) async throws {
    let lesson = try Course.catalog.lesson(named: number)
    let chosen = RunOptions(examples: [id]).chosen(from: lesson)
    let programs = try EjectedProgram.all(
      chosen, of: lesson, borrowedFrom: Course.catalog.lessons, root: LessonText.builtFolder)
    let program = try #require(programs.first)
    let folder = try TestFolder()
    let files = try program.files.map { name, text in try folder.write(text.utf8, to: name) }
    let compiler = try Toolchain().compiler
    let built = try BuiltWorkbench()
    let run = try await ToolRun(
      compiler, ["-typecheck", "-swift-version", "6", "-warnings-as-errors"] + built.searchFlags + files.sorted())
    #expect(run.succeeded, "\(run.output)")
  }
}
