// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// Checks programs for real, with lesson 04's exercise.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ExerciseCheckerTests {
  private let folder: TestFolder
  private let exercise: Exercise
  private let checker: ExerciseChecker

  init() throws {
    folder = try TestFolder()
    exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
    checker = try .ofTests()
  }

  private func result(_ body: String, by checker: ExerciseChecker? = nil) async throws -> ExerciseResult {
    let source = """
      import Foundation
      import LessonKit
      import SessionAPI
      enum Exercise {
        static func run(_ app: ExerciseContext) {
          \(body)
        }
      }

      """
    return try await (checker ?? self.checker).check(
      exercise, at: folder.write(source.utf8, to: "Exercise.swift"))
  }

  @Test func `a program of which the compiler lists no imports is not run`() async throws {
    let compiler = try Toolchain().compiler
    let script = "case $* in *-emit-imported-modules*) exit 1 ;; esac\nexec '\(compiler)' \"$@\""
    try folder.writeProgram(script, to: "bin/swiftc")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.url.appendingPathComponent("bin").path + ":" + (environment["PATH"] ?? "")
    let checker = try ExerciseChecker.ofTests(environment: environment)
    let unlisted = try await result("app.quit()", by: checker)
    #expect(unlisted.outcome == .notCompiled && unlisted.why == ImportRule.unknown)
    #expect(try await result("let a: Int = true", by: checker).why == "the compiler refuses it")
  }

  @Test func `a second check of an unchanged file does not start the compiler`() async throws {
    let (compiler, calls) = (try Toolchain().compiler, folder.url.appendingPathComponent("calls"))
    try folder.writeProgram("echo >>'\(calls.path)'\nexec '\(compiler)' \"$@\"", to: "bin/swiftc")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.url.appendingPathComponent("bin").path + ":" + (environment["PATH"] ?? "")
    let checker = try ExerciseChecker.ofTests(environment: environment)
    let first = try await result("print(\"\(UUID())\")", by: checker)
    let count = try Data(contentsOf: calls).count
    #expect(first.outcome == .failed && count == 3, "it lists the modules, compiles and links")
    let second = try await checker.check(exercise, at: folder.url.appendingPathComponent("Exercise.swift").path)
    #expect(second.outcome == .failed && second.checks.map(\.passed) == first.checks.map(\.passed))
    #expect(try Data(contentsOf: calls).count == count)
    _ = try await result("print(\"\(UUID())\")", by: checker)
    #expect(try Data(contentsOf: calls).count == 2 * count)
  }

  @Test func `the handed-out program fails, and the solution passes`() async throws {
    let before = try await checker.check(exercise, at: exercise.path(of: "Exercise.swift"))
    #expect(before.outcome == .failed && before.score == 0)
    #expect(before.checks.map(\.waitsFor) == ["memory", "memory", "memory", nil], "\(before.checks.map(\.measured))")
    let after = try await checker.check(exercise, at: exercise.path(of: "Solution.swift"))
    #expect(after.outcome == .passed && after.score == 10, "\(after.checks.map(\.measured))")
  }

  @Test func `a program that does nothing gets no points for needing no memory`() async throws {
    let result = try await result("")
    #expect(result.outcome == .failed && result.score == 0)
    #expect(result.checks.last?.measured.description.hasSuffix("counts only together with “file”") == true)
  }

  @Test func `an import of what makes the answers is refused, and named with the cure`() async throws {
    let source = "import SessionAPI\nimport LessonServer\nenum Exercise {}\n"
    let result = try await checker.check(exercise, at: folder.write(source.utf8, to: "Exercise.swift"))
    #expect(result.outcome == .notCompiled && result.score == 0)
    #expect(
      result.why.description.hasPrefix(
        "it imports LessonServer, which is closed to exercises; remove that import, these are open: ConnectionAPI, "))
  }

  @Test(arguments: [
    ("app.runApplication()", ExerciseOutcome.hung, "no load was started, and the program did not come to its end"),
    ("fatalError(\"on purpose\")", .crashed, "on purpose"),
    ("exit(0)", .exited, "the program ended its process with status 0"),
    ("while true { print(String(repeating: \"x\", count: 1000)) }", .overLimit, "it printed more than 1 MiB"),
    (
      "var all: [UnsafeMutableRawPointer] = []; while true { let p = malloc(1 << 20)!; memset(p, 1, 1 << 20); all.append(p) }",
      .overLimit, "it took more than 1024 MiB of memory"
    ),
  ])
  func `a program that does not come to its end is a result`(
    _ body: String, _ outcome: ExerciseOutcome, _ why: String
  ) async throws {
    let hangs = outcome == .hung
    let result = try await result(body, by: hangs ? .ofTests(timeout: .seconds(5)) : nil)
    #expect(result.outcome == outcome)
    #expect(result.why.description.contains(why), "\(result.why)")
    #expect(result.score == 0 && result.checks.isEmpty)
  }

  @Test func `no program starts another one or signals it`() async throws {
    let result = try await result(
      """
      var child: pid_t = 0
      let words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      let started = posix_spawn(&child, "/bin/true", nil, nil, words, nil)
      guard started == EPERM, kill(getppid(), SIGKILL) == -1, kill(-1, SIGKILL) == -1, errno == EPERM else { exit(9) }
      """)
    #expect(result.outcome == .failed, "\(result.why)")
  }

  @Test func `a file that is missing, no text or refused by the compiler is a result`() async throws {
    let missing = try await checker.check(exercise, at: folder.url.appendingPathComponent("none.swift").path)
    #expect(missing.outcome == .missing)
    let binary = try await checker.check(exercise, at: folder.write([0xFF, 0xFE], to: "binary.swift"))
    #expect(binary.outcome == .notCompiled && binary.why.description.contains("is not UTF-8"))
    let refused = try await result("app.quitt()")
    #expect(refused.outcome == .notCompiled && refused.compiler.contains("has no member 'quitt'"))
  }

  @Test func `advice stands beside what the compiler refuses, and beside a method that is never called`() async throws {
    let refused = try await result("let name: String? = nil; print(name.count)")
    #expect(refused.advice.map(\.description).first?.hasPrefix("The value may be missing") == true)
    let silent = try await result(
      """
      }
        final class Load: NSObject, URLSessionDataDelegate {
          func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithErorr: (any Error)?) {}
      """)
    #expect(silent.outcome == .failed && silent.compiler.isEmpty, "\(silent.compiler)")
    #expect(silent.advice.map { $0.description.contains("“urlSession(_:task:didCompleteWithError:)”") } == [true])
    let report = GradeReport([silent])
    #expect(
      report.json.contains("The delegate's method is") && GradeFormat.text.text(of: report).contains("  Line 8: "))
  }
}
