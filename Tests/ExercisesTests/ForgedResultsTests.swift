// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// Programs that do half of lesson 02's exercise, and write the other half into the pipe of their measurements.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ForgedResultsTests {
  /// Loads on the main thread, which stands still meanwhile, and then does what `end` says; `forge` writes a measurement in
  /// which it did not stand still to every descriptor.
  private func source(_ end: String) -> String {
    """
    import ConnectionAPI
    import Foundation
    import Glibc
    import LessonKit
    enum Exercise {
      struct Document: Decodable { var name: String }
      static func run(_ app: ExerciseContext) {
        guard let data = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url), returning: nil),
          let name = try? JSONDecoder().decode(Document.self, from: data).name
        else { exit(3) }
        app.result(name)
        let usage = #"{"cpu":0,"wakeups":0,"faults":0}"#
        let thread = #"{"id":1,"name":"","main":true}"#
        let recording =
          #"{"callbacks":[],"order":[],"ticks":[],"loads":[],"overlaps":0,"notes":[],"lines":[],"threadEnds":{},"#
          + #""unnamedFileBytes":0,"shown":[{"kind":"result","text":"\\#(name)","instant":1,"thread":\\#(thread)}]}"#
        let line =
          #"{"measured":{"_0":{"hasEnded":true,"wall":1,"usage":\\#(usage),"instruments":\\#(usage),"peak":1,"curve":[],"#
          + #""peakThreads":1,"threadsAfter":1,"libraryThreads":0,"longestGap":0,"gaps":[],"recording":\\#(recording)}}}"#
        let text = Array((line + "\\n").utf8)
        @Sendable func forge() { for descriptor in 3..<1024 { write(Int32(descriptor), text, text.count) } }
        \(end)
      }
    }

    """
  }

  private func result(_ end: String) async throws -> ExerciseResult {
    let folder = try TestFolder()
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "2")
    let file = try folder.write(source(end).utf8, to: "Exercise.swift")
    let result = try await ExerciseChecker.ofTests().check(exercise, at: file)
    #expect(result.compiler.isEmpty, "\(result.compiler)")
    return result
  }

  @Test(arguments: ["forge(); _exit(0)", "forge()", "Thread.detachNewThread { while true { forge() } }"])
  func `a measurement of the program's own makes the whole result worthless, and says so`(_ end: String) async throws {
    let result = try await result(end)
    #expect(result.outcome == .failed && result.score == 0)
    #expect(result.why.description.hasPrefix("it used the pipe over which its measurements travel"), "\(result)")
  }

  /// By themselves: they count together with the one that this program fails.
  private func held(_ result: ExerciseResult) -> [Bool] { result.checks.map { $0.passed || $0.waitsFor != nil } }

  @Test func `what the same program does honestly counts`() async throws {
    let result = try await result("")
    #expect(result.outcome == .failed && held(result) == [true, true, false, true, true], "\(result)")
  }

  @Test func `a line break of another kind in what a program shows is no line of the pipe`() async throws {
    let result = try await result(#"print("a\u{2028}b\u{85}c"); app.result(name)"#)
    #expect(held(result) == [true, true, false, true, true], "\(result)")
  }
}
