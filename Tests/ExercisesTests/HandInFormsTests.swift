// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Lessons
import Testing

@testable import Exercises

/// Hand-ins in the forms in which platforms give them to a teacher, up to the gradebook: a right program has its points in the
/// row of its own student, and what is not certain has no grade.
@Suite struct HandInFormsTests {
  /// What the gradebook has to say of a hand-in.
  private enum Wanted: Hashable { case right, open, zero }

  /// A student, the files that the platform gives for that one, and what the gradebook has to have. A text `right` stands for
  /// the student's own right program, `zip` for an archive with it, `zip zip` for one within another, a text that begins with
  /// `link:` for a link.
  private struct Row {
    var id: Int
    var name: String
    var wanted: Wanted
    var files: [(name: String, text: String)]

    init(_ id: Int, _ name: String, _ wanted: Wanted, _ files: (String, String)...) {
      (self.id, self.name, self.wanted) = (id, name, wanted)
      self.files = files.map { ($0.0, $0.1) }
    }

    /// Files of Moodle's in folders.
    static func folder(_ id: Int, _ name: String, _ wanted: Wanted, _ files: (String, String)...) -> Row {
      var row = Row(id, name, wanted)
      row.files = files.map { ("\(clean(name))_\(id)_assignsubmission_file_/\($0.0)", $0.1) }
      return row
    }

    /// Files of Moodle's without folders.
    static func flat(_ id: Int, _ name: String, _ wanted: Wanted, _ files: (String, String)...) -> Row {
      var row = Row(id, name, wanted)
      row.files = files.map { ("\(clean(name))_\(id)_assignsubmission_file_\($0.0)", $0.1) }
      return row
    }

    /// Moodle's names of files have no apostrophe.
    private static func clean(_ name: String) -> String { name.replacing("'", with: "") }
  }

  /// A student whose number other students' files name, and who handed nothing in.
  private static let other = Row(12, "Other Student", .open)

  private static let folders: [Row] = [
    other,
    .folder(101, "Ada Example", .right, ("Exercise.swift", "right")),
    .folder(102, "Ada Example Two", .right, ("Exercise.swift", "right")),
    .folder(103, "李雷", .right, ("练习.swift", "right")),
    .folder(104, "Siobhán O'Neill", .right, ("my work/Exercise.swift", "right")),
    .folder(105, "Example, Bo", .right, ("Exercise.swift.txt", "right")),
    .folder(106, "Cy Example", .right, ("Other Student_12_assignsubmission_file_Exercise.swift", "right")),
    .folder(107, "Dee Example", .open, ("Exercise.swift", "a"), ("Exercise (1).swift", "right")),
    .folder(108, "Eli Example", .right, ("Exercise.swift", "right"), ("Exercise (1).swift", "right")),
    .folder(
      109, "Fay Example", .right, ("App/Package.swift", "a"), ("App/Sources/App/Exercise.swift", "right"),
      ("App/Sources/App/main.swift", "b"), ("App/Tests/AppTests/ExerciseTests.swift", "c")),
    .folder(110, "Gus Example", .right, ("work.zip", "zip zip")),
    .folder(111, "Hal Example", .right, ("exercise.swift", "right")),
    .folder(112, "Ida Example", .open, ("report.pdf", "%PDF")),
    .folder(113, "Jo Example", .zero, (".DS_Store", "")),
    Row(
      114, "Kim Example", .right, ("Kim Example_114_assignsubmission_file_/Exercise.swift", "right"),
      ("Kim Example_114_assignsubmission_onlinetext_/onlinetext.html", "a")),
    Row(115, "Lea Example", .right, ("Lea Example_115_assignsubmission_file/Exercise.swift", "right")),
    Row(116, "René", .right, ("Ren\u{FFFD}_116_assignsubmission_file_/\u{FFFD}bung/mine.swift", "right")),
    .folder(117, "Mo Example", .open, ("work.rar", "Rar!")),
    .folder(
      118, "Nan Example", .right, ("lesson-04-memory-peak/Exercise.swift", "right"), ("Solution.swift", "a")),
    .folder(119, "Ole Example", .open, ("lesson-04-memory-peak/Exercise.swift", "a"), ("Exercise.swift", "right")),
    .folder(120, "Pia Example", .open, ("Exercise.swift", "right"), ("work.zip", "other zip")),
    .folder(121, "Quin Example", .right, ("Exercise.swift", "right"), ("work.zip", "zip")),
    .folder(122, "Ray Example", .open, ("work.zip", "PK damaged")),
    .folder(123, "Sue Example", .open, ("Exercise.swift", "link:/etc/passwd")),
    .folder(124, "Tom Example", .open, ("a/b/c/d/e/f/g/h/Exercise.swift", "right")),
    .folder(125, "Uma Example", .open, (".Exercise.swift", "right")),
  ]

  private static let files: [Row] = [
    other,
    .flat(101, "Ada Example", .right, ("Exercise.swift", "right")),
    .flat(102, "Ada", .right, ("Other Student_12_assignsubmission_file_Exercise.swift", "right")),
    .flat(103, "Bo Example", .open, ("Exercise.swift", "a"), ("Exercise (1).swift", "right")),
    .flat(104, "Cy Example", .right, ("work.zip", "zip")),
    .flat(105, "Dee Example", .right, ("Exercise.swift.txt", "right")),
    .flat(106, "Eli Example", .right, ("_12_assignsubmission_file_x.swift", "right")),
    Row(
      107, "Fay Example", .right, ("Fay Example_107_assignsubmission_file_Exercise.swift", "right"),
      ("Fay Example_107_assignsubmission_onlinetext_onlinetext.html", "a")),
    Row(108, "Group A", .open, ("Group A_12_assignsubmission_file_Exercise.swift", "right")),
    Row(109, "Gus_x", .open, ("Gus_x_109_assignsubmission_file_Exercise.swift", "right")),
    .flat(110, "Hal Example", .right, ("my_file_12_13_v2.swift", "right")),
    .flat(111, "Ida Example", .right, ("exampleada_201_7_Exercise.swift", "right")),
  ]

  private static let canvas: [Row] = [
    Row(12, "Student, Other", .open),
    Row(201, "Example, Ada", .right, ("exampleada_201_7001_Exercise.swift", "right")),
    Row(202, "Example, Ada Two", .right, ("exampleadatwo_LATE_202_7002_Exercise.swift", "right")),
    Row(203, "李雷", .right, ("李雷_203_7003_练习.swift", "right")),
    Row(204, "O'Neill, Siobhán", .right, ("oneillsiobhán_204_7004_Exercise-1.swift", "right")),
    Row(
      205, "Example, Bo", .right, ("examplebo_205_7005_Exercise.swift", "a"),
      ("examplebo_205_7006_Exercise-1.swift", "right")),
    Row(
      206, "Example, Cy", .open, ("examplecy_206_7008_Exercise.swift", "a"),
      ("examplecy_206_7007_Exercise-1.swift", "right")),
    Row(207, "Example, Dee", .open, ("exampledee_207_7009_a.swift", "a"), ("exampledee_207_7010_b.swift", "right")),
    Row(
      208, "Example, Eli", .right,
      ("exampleeli_208_7011_Other Student_12_assignsubmission_file_Exercise.swift", "right")),
    Row(209, "Example, Fay", .right, ("examplefay_209_7012_201_7001_Exercise.swift", "right")),
    Row(210, "Example, Gus", .right, ("examplegus_210_201_12_mine.swift", "right")),
    Row(211, "Smith_12", .right, ("smith_12_211_7013_Exercise.swift", "right")),
    Row(212, "Someone, Else", .open, ("smyth_12_212_7014_Exercise.swift", "right")),
    Row(213, "Example, Hal", .right, ("examplehal_213_7015_work.zip", "zip"), ("examplehal_213_7016_a.pdf", "b")),
    Row(214, "Example, Ida", .right, ("exampleida_214_7017_Exercise.swift.txt", "right")),
    Row(
      215, "Example, Jo", .right, ("examplejo_215_7018_Exercise.swift", "a"),
      ("examplejo_LATE_215_7019_Exercise-1.swift", "right")),
    Row(
      216, "Example, Kim", .open, ("examplekim_216_7020_work-1.swift", "a"),
      ("examplekim_216_7021_work-2.swift", "right")),
  ]

  private static let plain: [Row] = [
    Row(301, "Ada Example", .right, ("s301@example.org/Exercise.swift", "right")),
    Row(302, "Bo Example", .right, ("S302@example.org.zip", "zip")),
    Row(303, "Cy Example", .open, ("s303@example.org", "link:s301@example.org")),
    Row(304, "Dee Example", .right, ("304.swift", "right")),
    Row(305, "Eli Example", .open, ("s305@example.org/a.swift", "a"), ("S305@example.org.swift", "right")),
    Row(306, "Fay Example", .open, ("s306@example.org/a.swift", "a"), ("s306@example.org/b.swift", "right")),
  ]

  private let exercise: Exercise
  private let course: ExerciseCourse
  private let home: TestFolder

  init() throws {
    course = try ExerciseCourse(folder: LessonText().root)
    exercise = try course.exercise(named: "4")
    home = try TestFolder()
  }

  // MARK: - The table

  @Test func `no hand-in of Moodle's, in folders or as files, loses its points or gets another's`() async throws {
    try await expect(grade(Self.folders, .moodle))
    try await expect(grade(Self.files, .moodle))
  }

  @Test func `no hand-in of Canvas's loses its points or gets another's, and late ones are known`() async throws {
    try await expect(grade(Self.canvas, .canvas))
    let handIns = try ClassFolder(home.url.appendingPathComponent("class"), platform: .canvas).handIns
    #expect(handIns.filter(\.isLate).map(\.student) == ["202", "215"])
    let remark = handIns.first { $0.student == "205" }?.remark.description
    #expect(remark == "“Exercise-1.swift” is the last of 2 versions and counts")
  }

  @Test func `no hand-in that an address or a number names loses its points or gets another's`() async throws {
    try await expect(grade(Self.plain, .moodle))
  }

  @Test func `the whole class is the same from the archive that a platform gives`() async throws {
    let rows = Self.files.filter { $0.files.allSatisfy { !$0.text.hasPrefix("zip") } }
    let entries = rows.flatMap { row in row.files.map { ($0.name, $0.text == "right" ? Self.right(row.id) : $0.text) } }
    try await home.pack(entries, to: "submissions.zip")
    let archive = try #require(try await ClassArchive(home.url.appendingPathComponent("submissions.zip").path))
    try await expect(faults(rows, .moodle, in: archive.folder))
    #expect(try await ClassArchive(home.url.path) == nil)
  }

  private func expect(_ faults: [String]) { #expect(faults.isEmpty, "\(faults.joined(separator: "; "))") }

  // MARK: - From files to the gradebook

  /// Writes the class anew, and says what the gradebook has wrong.
  private func grade(_ rows: [Row], _ platform: LearningPlatform) async throws -> [String] {
    let folder = home.url.appendingPathComponent("class")
    try? FileManager.default.removeItem(at: folder)
    for row in rows {
      for file in row.files { try await write(file.name, file.text, of: row.id) }
    }
    return try await faults(rows, platform, in: folder)
  }

  private func faults(_ rows: [Row], _ platform: LearningPlatform, in folder: URL) async throws -> [String] {
    var book = try Self.book(rows, platform)
    let whole = try ClassFolder(folder, platform: platform, students: platform == .canvas ? book.names : [:])
    var graded: [GradedHandIn] = []
    for handIn in whole.handIns {
      graded.append(GradedHandIn(handIn, handIn.places.isEmpty ? nil : try await report(of: handIn)))
    }
    _ = book.fill(graded)
    let table = try CSVTable(Data(book.text.utf8))
    return rows.enumerated().compactMap { index, row in
      let cell = table.text(index + (platform == .canvas ? 2 : 1), 3)
      let wanted = [.right: "100", .zero: "0", .open: ""][row.wanted]
      return cell.replacing(".00", with: "") == wanted ? nil : "\(row.id) \(row.name): “\(cell)”"
    }
  }

  /// The report of a grader that knows nothing but right programs: the points are tens for the student whose program it is, so
  /// that another student's shows.
  private func report(of handIn: HandIn) async throws -> GradeReport {
    let submission: Submission
    do {
      submission = try await Submission.opening(handIn, of: course, for: [exercise])
    } catch let error as LessonKitError where error.code == .unreadable {
      return GradeReport([ExerciseResult(exercise, .undecided, why: error.phrase)])
    }
    guard let file = submission.file(of: exercise) else { return GradeReport([submission.lack(of: exercise)]) }
    let text = try String(contentsOf: file, encoding: .utf8)
    var result = ExerciseResult(exercise, .failed)
    let isOwn = handIn.student.map { text == Self.right(Int($0) ?? 0) } ?? text.hasPrefix("// right")
    result.checks = [
      CheckResult(
        id: "a", title: "a", passed: true, wanted: "", measured: "", outside: true,
        points: isOwn ? exercise.manifest.points : 3)
    ]
    return GradeReport([result])
  }

  private static func right(_ id: Int) -> String { "// right \(id)" }

  private static func book(_ rows: [Row], _ platform: LearningPlatform) throws -> Gradebook {
    let lines = rows.map { "\"\($0.name)\",\($0.id),s\($0.id)@example.org,,100" }.joined(separator: "\n") + "\n"
    guard platform == .canvas else {
      let head = "Full name,Identifier,Email address,Grade,Maximum Grade\n"
      return try Gradebook(moodle: Data((head + lines).utf8), called: "m.csv")
    }
    let head = "Student,ID,SIS Login ID,Exercise (1),x\n    Points Possible,,,100,\n"
    return try Gradebook(canvas: Data((head + lines).utf8), called: "c.csv", assignment: nil)
  }

  private func write(_ name: String, _ text: String, of id: Int) async throws {
    let path = "class/\(name)"
    switch text {
    case "zip", "zip zip", "other zip":
      try await home.pack(
        [("work/Other Student_12_assignsubmission_file_/Exercise.swift", text == "other zip" ? "a" : Self.right(id))],
        to: "inner.zip")
      let isInner = text == "zip zip"
      if isInner { try await home.pack([("deep/inner.zip", "file:inner.zip")], to: "outer.zip") }
      let data = try Data(contentsOf: home.url.appendingPathComponent(isInner ? "outer.zip" : "inner.zip"))
      try home.write(data, to: path)
    case _ where text.hasPrefix("link:"):
      let place = home.url.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: place.path, withDestinationPath: String(text.dropFirst("link:".count)))
    default:
      try writeBytes(text == "right" ? Self.right(id) : text, to: path)
    }
  }

  /// Writes a file; U+FFFD in its path stands for a byte that is no UTF-8.
  private func writeBytes(_ text: String, to path: String) throws {
    guard path.contains("\u{FFFD}") else {
      _ = try home.write(text.utf8, to: path)
      return
    }
    let whole = home.url.path + "/" + path
    let bytes = Array(whole.utf8).split(separator: UInt8(ascii: "/")).map { part in
      Array(
        String(decoding: part, as: UTF8.self).unicodeScalars.flatMap {
          $0 == "\u{FFFD}" ? [0xE9] : Array(String($0).utf8)
        })
    }
    for end in 1..<bytes.count {
      mkdir(bytes[..<end].flatMap { [0x2F] + $0 }.map(CChar.init(bitPattern:)) + [0], 0o700)
    }
    let descriptor = open(bytes.flatMap { [0x2F] + $0 }.map(CChar.init(bitPattern:)) + [0], O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
  }
}
