// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// A class, with a shell script in the place of the grader of one hand-in.
@Suite(.timeLimit(.minutes(2))) struct ClassGraderTests {
  private let home: TestFolder
  private let results: ClassResults

  init() throws {
    home = try TestFolder()
    results = ClassResults(home.url.appendingPathComponent("grades"))
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
    let report = GradeFormat.record.text(of: Grader.pessimistic([exercise]))
    try home.write(report.utf8, to: "report.json")
    for name in ["student-01", "student-02.swift", "student-03.zip"] { try home.write("a".utf8, to: "class/\(name)") }
    try home.write("a".utf8, to: "class/.hidden")
  }

  /// A grader whose processes run a script: `$out` is where the report goes, `$place` the hand-in.
  private func grader(_ script: String, way: String = "") throws -> ClassGrader {
    let path = try home.writeProgram(
      """
      while [ "$1" != -- ]; do [ "$1" != --output ] || out=$2; shift; done
      place=$2 name=${2##*/} home=\(home.url.path)
      echo "$name" >>"$home/graded"
      \(script)
      """, to: "grader")
    return ClassGrader(
      results, GraderProcess(executable: path, arguments: [], limit: .seconds(60)), jobs: 2, way: way)
  }

  private func handIns() throws -> [HandIn] { try ClassFolder(home.url.appendingPathComponent("class")).handIns }

  private func graded() -> [String] {
    let text = try? String(contentsOf: home.url.appendingPathComponent("graded"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init).sorted()
  }

  @Test func `each hand-in is graded once, and again when it has changed`() async throws {
    let report = "cp $home/report.json $out"
    let all = try handIns()
    #expect(all.map(\.name) == ["student-01", "student-02.swift", "student-03.zip"])
    for _ in 1...2 { #expect(try await grader(report).grade(all) { _ in }.done == 3) }
    #expect(graded() == all.map(\.name))
    try home.write("b".utf8, to: "class/student-02.swift")
    #expect(try await grader(report).grade(all) { _ in }.done == 3)
    #expect(graded().count { $0 == "student-02.swift" } == 2 && graded().count == 4)
    #expect(try await grader(report, way: "--lesson 9").grade(all) { _ in }.done == 3)
    #expect(graded().count == 7)
    #expect(all.allSatisfy { results.report(of: $0)?.points == 10 })
  }

  @Test func `whatever one grader does, the others go on`() async throws {
    let script = """
      case $name in
      student-01) cp $home/report.json $out; kill -SEGV $$ ;;
      student-02*) cp $home/report.json $out; exit 3 ;;
      *) echo said >&2; cp $home/report.json $out ;;
      esac
      """
    let all = try handIns()
    let ending = try await grader(script).grade(all) { _ in }
    #expect(ending.done == 2 && ending.failed == ["student-02.swift": 3])
    #expect(results.report(of: all[1]) == nil)
    #expect(try String(contentsOf: results.log(of: all[2]), encoding: .utf8) == "said\n")
    #expect(try await grader("cp $home/report.json $out").grade(all) { _ in }.done == 3)
    #expect(graded().count == 4)
  }

  @Test func `a cancelled grading keeps what is there, and ends its processes`() async throws {
    let all = try handIns()
    let grader = try grader(
      "[ $name = student-01 ] || { read -r line; echo $name >>$home/ended; exit 143; }; cp $home/report.json $out")
    let task = Task {
      try await grader.grade(all) { progress in
        if progress.done == 1, progress.running.count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(results.report(of: all[0]) != nil && results.report(of: all[1]) == nil)
  }

  @Test func `two gradings do not write to the same results`() async throws {
    let hold = try results.open()
    let error = await #expect(throws: LessonKitError.self) { _ = try await grader("").grade(handIns()) { _ in } }
    #expect(error?.description.hasPrefix("Another grading writes to") == true)
    withExtendedLifetime(hold) {}
  }

  @Test func `a result of another grader counts as it is`() async throws {
    let all = try handIns()
    try home.write(
      try Data(contentsOf: home.url.appendingPathComponent("report.json")), to: "grades/results/student-01.json")
    _ = try await grader("cp $home/report.json $out").grade(all) { _ in }
    #expect(graded() == ["student-02.swift", "student-03.zip"])
  }

  @Test func `results of a student's files, each by itself, are one where one file alone has a program`() throws {
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
    let handIn = HandIn(name: "a_1", places: ["x", "y"].map { home.url.appendingPathComponent($0) })
    let write = { (name: String, outcome: ExerciseOutcome) in
      try home.write(GradeReport([ExerciseResult(exercise, outcome)]).json.utf8, to: "grades/results/\(name).json")
    }
    _ = try (write("x", .undecided), write("y", .passed))
    #expect(results.report(of: handIn)?.exercises.map(\.outcome) == [.passed])
    _ = try write("x", .hung)
    #expect(results.report(of: handIn)?.exercises.map(\.outcome) == [.undecided])
    _ = try write("a_1", .hung)
    #expect(results.report(of: handIn)?.exercises.map(\.outcome) == [.hung])
  }

  @Test func `what a learning platform names after one student is one hand-in`() throws {
    for name in [
      "Ada Example_101_assignsubmission_file_/a.swift", "Ada Example_101_assignsubmission_onlinetext_/a.html",
      "exampleada_201_7_a.swift", "exampleada_201_8_b.pdf", "exampleada_999_9_b.pdf",
    ] { try home.write("a".utf8, to: "lms/\(name)") }
    let folder = home.url.appendingPathComponent("lms")
    let canvas = try ClassFolder(folder, platform: .canvas).handIns.filter { $0.student != nil }
    #expect(canvas.map(\.name) == ["exampleada_201", "exampleada_999"] && canvas.map(\.places.count) == [2, 1])
    #expect(canvas.map(\.student) == ["201", "999"])
    // Another platform's files look alike, and who grades without a gradebook has one platform's alone.
    let moodle = try ClassFolder(folder).handIns
    #expect(
      moodle.map(\.name) == [
        "Ada Example_101", "exampleada_201_7_a.swift", "exampleada_201_8_b.pdf", "exampleada_999_9_b.pdf",
      ])
    #expect(moodle.map(\.student) == ["101", nil, nil, nil])
  }

  @Test func `bytes of a name that are no text are shown as digits`() {
    let name = Array("Ada ".utf8) + [0xFF, 0xE9] + Array("é_1".utf8) + [0xC3]
    #expect(ByteEntry(path: name, name: name).readable == "Ada %FF%E9é_1%C3")
  }

  @Test func `a hand-in that is named is graded again, and one that stays closed never`() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: home.url.appendingPathComponent("class/student-04").path, withDestinationPath: "/etc")
    let all = try handIns()
    #expect(
      all[3].places.isEmpty && all[3].doubt.description == "it is a symbolic link, which is not followed")
    let report = "cp $home/report.json $out"
    #expect(try await grader(report).grade(all) { _ in }.done == 3)
    #expect(try await grader(report).grade(all, again: ["student-02.swift"]) { _ in }.done == 3)
    #expect(graded() == ["student-01", "student-02.swift", "student-02.swift", "student-03.zip"])
    #expect(all[1].isCalled("student-02.swift") && !all[1].isCalled("student-02"))
  }

  @Test func `the kept form of a report is read as it was, sentence by sentence`() throws {
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "4")
    var result = ExerciseResult(exercise, .failed, why: "“\("a")” \("is protected by a password" as Phrase)")
    result.checks = [
      CheckResult(
        id: "a", title: "memory", passed: false, wanted: "at most \(3)", measured: "4", outside: true, points: 1)
    ]
    let text = GradeFormat.record.text(of: GradeReport([result]))
    let read = try JSONDecoder().decode(GradeReport.self, from: Data(text.utf8))
    #expect(read.exercises[0].why == result.why && read.exercises[0].checks == result.checks)
    #expect(try JSONDecoder().decode(GradeReport.self, from: Data(GradeReport([result]).json.utf8)).points == 10)
  }
}
