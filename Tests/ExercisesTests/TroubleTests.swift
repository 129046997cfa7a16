// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// What is told of a program that crashes, and what of a machine that fails it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TroubleTests {
  private let folder: TestFolder
  private let exercise: Exercise

  init() throws {
    folder = try TestFolder()
    exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
  }

  private func file(_ body: String) throws -> String {
    let source = """
      import Foundation
      import LessonKit
      import SessionAPI
      enum Exercise {
        static func run(_ app: ExerciseContext) {
          let one = CommandLine.arguments.count > 0 ? 1 : 2
          \(body)
        }
      }
      func deep(_ n: Int) -> Int { n == -1 ? 0 : deep(n + 1) &+ deep(n &+ 2) }

      """
    return try folder.write(source.utf8, to: "Exercise.swift")
  }

  /// A checker whose compiler is a program for the shell, which may say `exec "$swiftc" "$@"`.
  private func checker(compilingBy script: String, compilations: Int = 1) throws -> ExerciseChecker {
    try folder.writeProgram("swiftc='\(Toolchain().compiler)'\n\(script)", to: "bin/swiftc")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.url.appendingPathComponent("bin").path + ":" + (environment["PATH"] ?? "")
    return try .ofTests(environment: environment, compilations: compilations)
  }

  @Test(arguments: [
    ("let all = [1, 2]; print(all[one + 7])", "an index out of range (Exercise.swift:7)"),
    (
      "let none: String? = one > 1 ? \"\" : nil; print(none!)",
      "nil where an optional was unwrapped by force (Exercise.swift:7)"
    ),
    ("print(7 / (one - 1))", "a division by zero (Exercise.swift:7)"),
    ("print(UInt8(250) + UInt8(one * 9))", "an arithmetic overflow (Exercise.swift:7)"),
    ("print(UInt8(one * 999))", "a number that the integer type has no room for (Exercise.swift:7)"),
    ("print((one as Any) as! String)", "a cast to a type that the value does not have (Exercise.swift:7)"),
    ("let text = \"ab\"; print(text[text.index(text.startIndex, offsetBy: one + 7)])", "(Exercise.swift:7)"),
    ("fatalError(\"on purpose\")", "SIGILL: on purpose (Exercise.swift:7)"),
    ("Thread.detachNewThread { print([Int]()[one]) }; Thread.sleep(forTimeInterval: 30)", "(Exercise.swift:7)"),
    ("print(deep(0))", "SIGSEGV: a function that calls itself without end (Exercise.swift:10)"),
    ("abort()", "SIGABRT (Exercise.swift:7)"),
  ])
  func `a crash is told with its reason and the line of the file`(_ body: String, _ why: String) async throws {
    let result = try await ExerciseChecker.ofTests().check(exercise, at: file(body))
    #expect(result.outcome == .crashed && result.score == 0)
    #expect(result.why.description.hasSuffix(why), "\(result.why)")
  }

  @Test(arguments: ["readLine()", "FileHandle.standardInput.readDataToEndOfFile()", "getchar()"])
  func `a program that reads its standard input is at its end at once`(_ read: String) async throws {
    let result = try await ExerciseChecker.ofTests().check(exercise, at: file("print(\(read)); app.quit()"))
    #expect(result.outcome == .failed && result.checks.count == 4, "\(result.why)")
  }

  @Test func `a program that loads without either API gets no points`() async throws {
    let result = try await ExerciseChecker.ofTests().check(
      exercise,
      at: file(
        """
        let (end, file) = (socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), app.scratch.appendingPathComponent("download").path)
        var place = sockaddr_in()
        (place.sin_family, place.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
        place.sin_port = UInt16(app.url.port ?? 0).bigEndian
        withUnsafePointer(to: &place) { place in
          _ = place.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(end, $0, 16) }
        }
        let request = "GET \\(app.url.path)?\\(app.url.query ?? "") HTTP/1.0\\r\\n\\r\\n"
        send(end, request, request.utf8.count, 0)
        let target = open(file, O_WRONLY | O_CREAT, 0o600)
        var (piece, isHead) = ([UInt8](repeating: 0, count: 1 << 16), true)
        while case let count = recv(end, &piece, piece.count, 0), count > 0 {
          var body = piece[..<count]
          if isHead, let blank = body.firstRange(of: Array("\\r\\n\\r\\n".utf8)) {
            body = body[blank.upperBound...]
            isHead = false
          }
          _ = Array(body).withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
        }
        app.quit()
        """))
    let words = result.checks.map(\.measured.description)
    #expect(result.outcome == .failed && result.score == 0)
    let right = words.filter { $0.hasPrefix("equal, ") }
    #expect(!right.isEmpty, "\(words)")
    #expect(right.allSatisfy { $0.hasSuffix("; no load of NSURLConnection or URLSession was seen") }, "\(words)")
  }

  @Test func `what the kernel holds in a program's sockets counts as its memory`() async throws {
    let result = try await ExerciseChecker.ofTests().check(
      exercise,
      at: file(
        """
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        (place.sin_family, place.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &place) { place in
          place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
            bind(listener, place, size)
            listen(listener, 500)
            getsockname(listener, place, &size)
            let piece = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<480 {
              let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
              connect(end, place, size)
              while send(end, piece, piece.count, Int32(MSG_DONTWAIT)) > 0 {}
            }
          }
        }
        app.runApplication()
        """))
    #expect(
      result.outcome == .overLimit && result.why.description == "it took more than 1024 MiB of memory", "\(result.why)")
  }

  @Test(arguments: [
    ("kill(getpid(), SIGKILL)", "exec \"$swiftc\" \"$@\""), ("app.quit()", "kill -9 $$"),
    ("app.quit()", "case $* in *' -o '*/program) kill -9 $$;; *) exec \"$swiftc\" \"$@\";; esac"),
    ("app.quit()", "echo 'ld.lld: error: undefined symbol: $s9LessonKit1a' >&2; exit 1"),
    ("app.quit()", "echo 'LLVM ERROR: IO failure on output stream: No space left on device' >&2; exit 1"),
  ])
  func `what the machine does to a program or to its compiler is no grade`(_ body: String, _ compiler: String)
    async throws
  {
    let path = try file("// \(UUID())\n\(body)")
    try folder.write(Data(contentsOf: URL(fileURLWithPath: path)), to: "lesson-04-memory-peak/Exercise.swift")
    let checker = try checker(compilingBy: compiler)
    let error = await #expect(throws: LessonKitError.self) { _ = try await checker.check(exercise, at: path) }
    #expect(error?.code == .environment, "\(error?.description ?? "")")
    let submission = try Submission(folder.url, of: ExerciseCourse(folder: LessonText().root))
    let report = try await Grader(checker, jobs: 1).grade([exercise], of: submission) { _ in }
    #expect(report.exercises.map(\.outcome) == [.notGraded] && report.score == 0)
  }

  @Test func `a grade compiles what was refused once more`() async throws {
    let once = folder.url.appendingPathComponent("once").path
    let script =
      "[ -e '\(once)' ] || case $* in *-emit-imported*) ;; *) : >'\(once)'; echo x >&2; exit 1;; esac\nexec \"$swiftc\" \"$@\""
    let path = try file("// \(UUID())\napp.quit()")
    #expect(try await checker(compilingBy: script, compilations: 2).check(exercise, at: path).outcome == .failed)
    try FileManager.default.removeItem(atPath: once)
    let again = try file("// \(UUID())\napp.quit()")
    #expect(try await checker(compilingBy: script).check(exercise, at: again).outcome == .notCompiled)
  }
}
