// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `grade`, as an autograder would use it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct GradeCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("submission-\(UUID())")

  private func grade(_ arguments: String..., lesson: Int = 4) async throws -> Command.Result {
    try await Command.run(["grade", folder.path, "--lesson", "\(lesson)"] + arguments, environment: Command.cache)
  }

  private func submit(_ body: String, lesson: String = "lesson-04-memory-peak") throws {
    let lesson = folder.appendingPathComponent(lesson)
    try FileManager.default.createDirectory(at: lesson, withIntermediateDirectories: true)
    let source = """
      import Foundation
      import LessonKit
      import SessionAPI
      enum Exercise { static func run(_ app: ExerciseContext) {
      \(body)
      } }

      """
    try Data(source.utf8).write(to: lesson.appendingPathComponent("Exercise.swift"))
  }

  /// It has the memory that is wanted, which the program that is handed out has not; a file of yesterday it leaves as it is.
  @Test func `partial work gets partial credit, and the report is a file as a whole`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit(
      """
      URLSession.shared.downloadTask(with: app.url) { file, _, _ in
        let place = app.scratch.appendingPathComponent("download")
        if let file { try? FileManager.default.moveItem(at: file, to: place) }
        app.quit()
      }.resume()
      app.runApplication()
      """, lesson: "lesson-07-file-handle")
    let output = folder.appendingPathComponent("report.json")
    let result = try await grade("--output", output.path, lesson: 7)
    #expect(result.status == .exited(0) && result.output.isEmpty, "\(result.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any]
    #expect(object?["score"] as? Int == 2 && object?["points"] as? Int == 10)
  }

  @Test func `what the libraries keep in the home folder costs a program that is right no points`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lessons = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Lessons").standardizedFileURL
    for lesson in ["lesson-07-file-handle", "lesson-08-output-stream"] {
      let place = folder.appendingPathComponent(lesson)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: lessons.appendingPathComponent("\(lesson)/exercise/Solution.swift"),
        to: place.appendingPathComponent("Exercise.swift"))
    }
    let result = try await Command.run(
      ["grade", folder.path, "--lesson", "7", "--lesson", "8", "--format", "text"], environment: Command.cache)
    #expect(result.output.hasSuffix("total: 20/20\n"), "\(result.output) \(result.errors)")
  }

  @Test func `a program reads no file of the grader's and leaves no process`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let secret = folder.appendingPathComponent("secret").path
    try submit("print(FileManager.default.fileExists(atPath: \"\(secret)\") ? \"seen\" : \"unseen\"); exit(3)")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    let result = try await grade("--format", "text")
    #expect(result.status == .exited(0))
    #expect(result.output.hasPrefix("lesson-04: exited, 0/10\n"), "\(result.output) \(result.errors)")
    // Where neither bubblewrap nor unshare works, the grader says so, and there is nothing to prove.
    if result.errors.isEmpty { #expect(result.output.contains("it last printed: unseen")) }
  }

  @Test func `a device, a pipe and a link to one take no report, and a link to the student's folder is followed`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit("exit(3)")
    let (pipe, link) = (folder.appendingPathComponent("pipe").path, folder.appendingPathComponent("link").path)
    #expect(mkfifo(pipe, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
    for path in ["/dev/full", pipe, link] {
      let result = try await grade("--output", path)
      #expect(result.status == .exited(64))
      #expect(result.errors == "workbench: “\(path)” is no plain file: name one that may be written or replaced.\n")
    }
    let student = folder.path + "-link"
    defer { try? FileManager.default.removeItem(atPath: student) }
    try FileManager.default.createSymbolicLink(atPath: student, withDestinationPath: folder.path)
    let result = try await Command.run(
      ["grade", student, "--lesson", "4", "--format", "text"], environment: Command.cache)
    #expect(result.output.hasPrefix("lesson-04: exited, 0/10\n"), "\(result.output) \(result.errors)")
  }

  @Test func `where isolation is required it is there, or nothing is graded`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit("exit(3)")
    let result = try await grade("--require-isolation", "--format", "text")
    if result.status == .exited(0) {
      #expect(result.errors.isEmpty && result.output.hasPrefix("lesson-04: exited, 0/10\n"))
    } else {
      #expect(result.status == .exited(3) && result.output.isEmpty)
      #expect(result.errors.hasPrefix("workbench: Nothing was graded, for isolation is required: "))
    }
  }

  @Test func `what a program prints commands no terminal`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit("print(\"\\u{1B}]0;title\\u{7}\\u{1B}[31mred\\u{9B}5n\"); exit(3)")
    let result = try await grade("--format", "text")
    #expect(result.output.contains("it last printed: ␛]0;title␇␛[31mred\u{FFFD}5n\n"), "\(result.output)")
  }

  @Test func `nothing to grade is a report without points, and a folder that is not there a usage error`() async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try await grade().status == .exited(64))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let result = try await grade("--format", "text")
    #expect(result.status == .exited(0))
    #expect(result.output.hasSuffix("total: 0/10\n"))
  }

  @Test func `an interrupt in the middle keeps what was graded`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit("app.quit()")
    let other = folder.appendingPathComponent("lesson-05-delegate-progress/Exercise.swift")
    try FileManager.default.createDirectory(at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
    let waiting =
      "import SessionAPI\nimport LessonKit\nenum Exercise { static func run(_ app: ExerciseContext) { app.runApplication() } }\n"
    try Data(waiting.utf8).write(to: other)
    let output = folder.appendingPathComponent("report.json")
    let arguments = [
      "grade", folder.path, "--lesson", "4", "--lesson", "5", "--timeout", "1h", "--output", output.path,
    ]
    let status = try await Subprocess.run(
      .path(Command.path), arguments: Arguments(arguments), environment: Command.environment(Command.cache),
      input: .none, output: .discarded, error: .discarded
    ) { execution in
      // The program prints nothing while it grades: only the file on disk shows that the first exercise is graded.
      while try outcomes(in: output)["lesson-04"] != "failed" { try await Task.sleep(for: .milliseconds(20)) }
      kill(execution.processIdentifier.value, SIGINT)
    }.terminationStatus
    #expect(status == .exited(130))
    #expect(try outcomes(in: output) == ["lesson-04": "failed", "lesson-05": "notGraded"])
  }

  @Test func `two students' folders below each other are named, with the cure`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit("")
    let lesson = folder.appendingPathComponent("lesson-04-memory-peak")
    let copy = folder.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: lesson, to: copy)
    try FileManager.default.createDirectory(
      at: lesson.appendingPathComponent("other"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: copy, to: lesson.appendingPathComponent("other/lesson-04-memory-peak"))
    let report = folder.appendingPathComponent("report.json")
    let result = try await grade("--output", report.path)
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("are the same exercise. Grade one student's folder at a time."))
    // Engines that grade many keep the report, whatever the status.
    #expect(try outcomes(in: report) == ["lesson-04": "undecided"])
  }

  /// The outcomes in a report; none where there is none yet.
  private func outcomes(in report: URL) throws -> [String: String] {
    struct Report: Decodable {
      struct Exercise: Decodable { var id: String, outcome: String }
      var exercises: [Exercise]
    }
    guard let data = try? Data(contentsOf: report) else { return [:] }
    let exercises = try JSONDecoder().decode(Report.self, from: data).exercises
    return Dictionary(uniqueKeysWithValues: exercises.map { ($0.id, $0.outcome) })
  }
}
