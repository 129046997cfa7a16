// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `grade --class`, as a teacher would use it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GradeClassTests {
  private let home = FileManager.default.temporaryDirectory.appendingPathComponent("class-\(UUID())")
  private static let lessons = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Lessons")
    .standardizedFileURL
  private static let worksheet = """
    Identifier,Full name,Email address,Status,Grade,Maximum Grade\r
    Participant 1,"Example, Ada",ada@example.org,Submitted for grading,,100.00\r
    Participant 2,Bo Example,bo@example.org,No submission,,100.00\r

    """

  private func write(_ text: String, to name: String) throws {
    let file = home.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOf: home.appendingPathComponent(name), encoding: .utf8)
  }

  private func solution() throws -> String {
    try String(
      contentsOf: Self.lessons.appendingPathComponent("lesson-01-first-request/exercise/Solution.swift"),
      encoding: .utf8)
  }

  /// A program that asks and hands in nothing, on a queue with this name.
  private static func failing(onQueueNamed name: String) -> String {
    """
    import Foundation
    import LessonKit
    import SessionAPI
    enum Exercise {
      static func run(_ app: ExerciseContext) {
        let queue = OperationQueue()
        queue.name = "\(name)" + app.scratch.path
        let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
        session.dataTask(with: app.url) { _, _, _ in app.quit() }.resume()
        app.runApplication()
      }
    }

    """
  }

  private func grade(_ arguments: String...) async throws -> Command.Result {
    let folders = ["--results", home.appendingPathComponent("grades").path]
    return try await Command.run(
      ["grade", "--class", home.appendingPathComponent("class").path, "--lesson", "1", "--jobs", "2"] + folders
        + arguments, environment: Command.cache)
  }

  @Test func `every hand-in has a row, in the table, the sheet and the platform's file, and a page`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write(try solution(), to: "class/Ada Example_1_assignsubmission_file_/Exercise (1).swift")
    try write("import SessionAPI\nlet a = <script>alert(1)</script>\n", to: "class/student-02.swift")
    try write("%PDF", to: "class/student-03/<b>report.pdf")
    try write(Self.worksheet, to: "worksheet.csv")
    func path(_ name: String) -> String { home.appendingPathComponent(name).path }
    let result = try await grade(
      "--csv", path("sheet.csv"), "--moodle", path("worksheet.csv"), "--feedback", path("pages"), "--jplag",
      path("jplag"))
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.contains("Ada Example_1     10/10  passed\n"), "\(result.output)")
    #expect(result.output.contains("student-03               to look at\n"), "\(result.output)")
    let reason = "there is no lesson-01-first-request/Exercise.swift; found: <b>report.pdf"
    #expect(
      result.output.contains(
        """

        3 hand-ins: 1 passed, 1 does not compile, 1 to look at; 5.0 of 10 points on
          average

        To look at, and without a grade until then:
          student-03: there is no lesson-01-first-request/Exercise.swift; found:
            <b>report.pdf

        """), "\(result.output)")
    #expect(try read("sheet.csv").contains("\r\nstudent-03,,10,,\(reason),,undecided,,\(reason),"))
    #expect(try read("worksheet.csv") == Self.worksheet)
    #expect(try read("grades/moodle.csv") == Self.worksheet.replacing("grading,,", with: "grading,100.00,"))
    #expect(result.errors.contains("no student in Moodle's file: student-02.swift, student-03"), "\(result.errors)")
    let page = try read("pages/student-02.swift.html")
    #expect(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert(1)"))
    #expect(!page.contains(home.path), "the teacher's folders are no student's business")
    #expect(try read("pages/Ada Example_1_assignsubmission_file_/feedback.html").contains("10 of 10 points"))
    #expect(!FileManager.default.fileExists(atPath: path("pages/student-03.html")), "it has no grade to give back")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("jplag")).count == 2)
    let again = try await grade(
      "--no-grading", "--moodle", path("worksheet.csv"), "--in-place", "--language", "zh-Hans")
    #expect(again.output.contains("student-03：没有 lesson-01-first-request/Exercise.swift；找到的有"), "\(again.output)")
    #expect(try read("worksheet.csv") == read("grades/moodle.csv"))
  }

  @Test func `the archive that a platform gives is a class, and one hand-in of it is graded again`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    for name in ["student-01.swift", "student-02.swift"] { try write("nonsense {", to: "unpacked/\(name)") }
    let archive = home.appendingPathComponent("submissions.zip").path
    let files = ["student-01.swift", "student-02.swift"].map { home.appendingPathComponent("unpacked/\($0)").path }
    let packed = try await Subprocess.run(
      .name("python3"), arguments: Arguments(["-m", "zipfile", "-c", archive] + files), output: .discarded)
    try #require(packed.terminationStatus.isSuccess)
    let arguments = [
      "grade", "--class", archive, "--lesson", "1", "--results", home.appendingPathComponent("grades").path,
    ]
    let result = try await Command.run(arguments, environment: Command.cache)
    #expect(result.output.contains("2 hand-ins: 2 does not compile"), "\(result.output) \(result.errors)")
    let (first, second) = (try number("student-01.swift"), try number("student-02.swift"))
    let again = try await Command.run(arguments + ["--regrade", "student-02.swift"], environment: Command.cache)
    #expect(again.status == .exited(0), "\(again.errors)")
    #expect(try number("student-01.swift") == first && number("student-02.swift") != second)
    let unknown = try await Command.run(arguments + ["--regrade", "student-2"], environment: Command.cache)
    #expect(unknown.status == .exited(64))
    #expect(
      unknown.errors
        == "workbench: No hand-in is called “student-2”. Hand-ins are called as in the table, such as: student-01.swift, student-02.swift.\n"
    )
  }

  @Test func `an archive that holds no class is named as the teacher named it`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write("no archive", to: "damaged.zip")
    // The end of an archive without entries.
    try write("PK\u{5}\u{6}" + String(repeating: "\0", count: 18), to: "empty.zip")
    for (name, words) in [
      (
        "damaged.zip",
        "“damaged.zip” cannot be opened: it is damaged, or no zip archive. Download it again, or unpack it"
      ),
      ("empty.zip", "“\(home.path)/empty.zip” holds no hand-in."),
    ] {
      let result = try await Command.run("grade", "--class", home.appendingPathComponent(name).path, "--lesson", "1")
      #expect(result.status == .exited(64) && result.errors.contains(words), "\(result.errors)")
    }
  }

  /// The number of the file that has the result of a hand-in; a result that is written again is another file.
  private func number(_ name: String) throws -> Int {
    let path = home.appendingPathComponent("grades/results/\(name).json").path
    return try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
  }

  @Test func `a page draws the student's own runs, from results alone`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write(try solution(), to: "class/student-01.swift")
    try write(Self.failing(onQueueNamed: "</script><script>alert(2)</script>"), to: "class/student-02.swift")
    let pages = home.appendingPathComponent("pages").path
    let graded = try await grade("--feedback", pages)
    #expect(graded.status == .exited(0), "\(graded.errors)")
    let (right, wrong) = (try read("pages/student-01.swift.html"), try read("pages/student-02.swift.html"))
    for (page, checks) in [(right, "name, alone, end"), (wrong, "name")] {
      #expect(page.contains("<svg class=\"drawing\"") && page.contains("This run decides: \(checks)"), "\(checks)")
      #expect(page.contains("GET /list%20of%20names/name?seed=") && page.contains("workbench 0."))
      #expect(page.utf8.count < 200_000, "\(page.utf8.count)")
    }
    #expect(wrong.contains("queue “&lt;/script&gt;&lt;script&gt;alert(2)") && !wrong.contains("<script>alert"))
    #expect(!wrong.contains(FileManager.default.temporaryDirectory.path + "/") && !wrong.contains(home.path))
    let again = try await grade("--no-grading", "--feedback", pages, "--language", "zh-Hans")
    #expect(again.status == .exited(0))
    #expect(try read("pages/student-02.swift.html").contains("你的程序的实测情况"))
  }

  @Test func `a grading that is killed leaves no process, and goes on where it stopped`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let waiting =
      "import SessionAPI\nimport LessonKit\nenum Exercise { static func run(_ app: ExerciseContext) { app.runApplication() } }\n"
    try write("nonsense {", to: "class/student-01.swift")
    try write(waiting, to: "class/student-02.swift")
    let folder = home.appendingPathComponent("class").path
    let arguments = [
      "grade", "--class", folder, "--lesson", "1", "--timeout", "1h", "--results",
      home.appendingPathComponent("grades").path,
    ]
    for signal in [SIGKILL, SIGINT] {
      let status = try await Subprocess.run(
        .path(Command.path), arguments: Arguments(arguments), environment: Command.environment(Command.cache),
        input: .none, output: .discarded, error: .discarded
      ) { execution in
        // The first is graded and the second one's program runs: only the disk and the table of processes show it.
        while dateOfFirst() == nil || !runs("student-02.swift") { try await Task.sleep(for: .milliseconds(20)) }
        kill(execution.processIdentifier.value, signal)
      }.terminationStatus
      #expect(status == (signal == SIGINT ? .exited(130) : .signaled(SIGKILL)))
      let patience = ContinuousClock.now + .seconds(30)
      while runs("student-02.swift"), ContinuousClock.now < patience { try await Task.sleep(for: .milliseconds(20)) }
      #expect(!runs("student-02.swift"))
    }
    let date = dateOfFirst()
    try write("nonsense {", to: "class/student-02.swift")
    let result = try await Command.run(arguments, environment: Command.cache)
    #expect(result.output.contains("2 hand-ins: 2 does not compile"), "\(result.output) \(result.errors)")
    #expect(dateOfFirst() == date)
  }

  /// When the result of the first hand-in was written, nil where it is not there.
  private func dateOfFirst() -> Date? {
    let path = home.appendingPathComponent("grades/results/student-01.swift.json").path
    return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  /// True if a process grades that hand-in of this test's class.
  private func runs(_ name: String) -> Bool {
    let place = Data("\(home.path)/class/\(name)".utf8)
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
    return numbers.contains { number in
      let command = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(number)/cmdline"))) ?? Data()
      return command.range(of: place) != nil
    }
  }

  @Test(arguments: [
    (["--csv", "/x/y"], "--csv is for a class. Give --class as well"),
    (["--regrade", "x"], "--regrade is for a class. Give --class as well"),
    (["--class", "--regrade", "x", "--no-grading"], "--regrade grades, and --no-grading does not. Give one of them."),
    (["--class", "--output", "/x/y"], "--output and --format are for one student."),
  ]) func `options of a class and of one student are told apart`(_ options: [String], _ words: String) async throws {
    let result = try await Command.run(["grade", "/nowhere"] + options)
    #expect(result.status == .exited(64))
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `a file that cannot be filled is named before anything is graded`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write("nonsense {", to: "class/student-01.swift")
    try write("a,b\n", to: "book.csv")
    let result = try await grade("--canvas", home.appendingPathComponent("book.csv").path)
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("is no gradebook of Canvas's"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.appendingPathComponent("grades/results").path))
  }
}
