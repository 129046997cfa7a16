// SPDX-License-Identifier: Apache-2.0
public import LessonKit
public import Pitfalls

/// The content of an `exercise.yml`.
public struct ExerciseManifest: Sendable {
  /// The newest format that is understood here.
  public static let format = 1

  /// Its name, such as `lesson-04`.
  public var id: String
  /// The exercise's title.
  public var title: LocalizedText
  /// The columns that it is about.
  public var sides: [Side]
  /// How long a student may need, in minutes.
  public var minutes: Int
  /// The points that it is worth: the sum of its checks' points.
  public var points: Int { checks.reduce(0) { $0 + $1.points } }
  /// S, the size of the body.
  public var bodyBytes: Int
  /// By how many bytes the body of a run may be shorter; each run has another number of them.
  public var shorterBy: Int
  /// How long one run may take.
  public var limit: Duration
  /// How often each case runs.
  public var repetitions: Int
  /// The hints, each says more than the one before.
  public var hints: [LocalizedText]
  /// The circumstances under which the program runs, at least one.
  public var cases: [ExerciseCase]
  /// The checks of the exercise.
  public var checks: [ExerciseCheck]
  /// The checks that the handed-out file passes. They are no work of the student's, and count only where one that it fails holds by itself.
  public var start: Set<String>
  /// The check that the handed-out file fails, or the outcome that it has.
  public var failsBy: String
  /// The near misses: a program in `Misses`, kept whole or as an edit, and the check that it fails or the outcome that it has.
  public var misses: [String: String]
  /// Files in `Rights` that do what is wanted by other means than the solution, and must pass.
  public var rights: [String]
  /// The pitfalls that runs of a file show, such as of `Misses/Twice.swift`; of those that are wrong it shows no others.
  public var pitfalls: [String: Set<Pitfall>]

  private static let keys: Set<String> = [
    "format", "id", "title", "sides", "minutes", "points", "body", "shorter_by", "limit", "repeat", "hints", "cases",
    "checks", "start", "fails_by", "misses", "rights", "pitfalls",
  ]

  /// Reads a manifest's text.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`; its sentence names file and line.
  init(parsing text: String, file: String) throws(LessonKitError) {
    let root = try ManifestNode(parsing: text, file: file)
    try Self.checkFormat(of: root)
    try root.allowOnly(Self.keys)
    id = try Self.id(root.need("id"))
    title = try root.need("title").texts()
    sides = try Self.sides(root.need("sides"))
    minutes = try root.need("minutes").number(in: 1...600)
    bodyBytes = try root.find("body")?.bytes() ?? 1 << 20
    shorterBy = try Self.shorter(root.find("shorter_by"), than: bodyBytes)
    limit = .seconds(try root.find("limit")?.seconds() ?? 10)
    repetitions = try root.find("repeat")?.number(in: 1...100) ?? 2
    hints = []
    for hint in try root.need("hints").elements() { hints.append(try hint.texts()) }
    cases = try ExerciseCase.all(root.find("cases"))
    checks = try ExerciseCheck.all(root.need("checks"), cases: cases.map(\.id))
    start = try Self.start(root.find("start"), checks.map(\.id))
    failsBy = try root.need("fails_by").text()
    misses = [:]
    for (name, reason) in try root.find("misses")?.pairs() ?? [] { misses[name] = try reason.text() }
    rights = try root.find("rights")?.list() ?? []
    let programs =
      [Exercise.fileName, Exercise.solution] + misses.keys.map { "Misses/\($0)" } + rights.map { "Rights/\($0)" }
    pitfalls = try Self.pitfalls(root.find("pitfalls"), of: programs)
    try checkReasons(root)
    let points = try root.need("points").number(in: 1...1000)
    guard points == self.points else {
      throw try root.need("points").wrong("its checks' points make \(self.points), not \(points)")
    }
  }

  private static func shorter(_ node: ManifestNode?, than bytes: Int) throws(LessonKitError) -> Int {
    guard let node else { return 0 }
    let most = try node.bytes()
    guard most < bytes else { throw node.wrong("a body cannot be shorter by all that it has") }
    return most
  }

  private static func start(_ node: ManifestNode?, _ checks: [String]) throws(LessonKitError) -> Set<String> {
    var start: Set<String> = []
    for name in try node?.elements() ?? [] {
      let id = try name.text()
      guard checks.contains(id) else { throw name.wrong("“\(id)” is no check of this exercise") }
      start.insert(id)
    }
    guard let node, start.count == checks.count else { return start }
    throw node.wrong("the file that is handed out passes every check: nothing is left to do")
  }

  private static func checkFormat(of root: ManifestNode) throws(LessonKitError) {
    let node = try root.need("format")
    let number = try node.number(in: 1...1_000_000)
    guard number <= format else {
      throw node.wrong(
        "this course has format \(number), and this workbench understands formats up to \(format). Use a newer workbench."
      )
    }
  }

  /// Notes separate ids by spaces, and a person types them.
  private static func id(_ node: ManifestNode) throws(LessonKitError) -> String {
    let id = try node.text()
    guard id.wholeMatch(of: #/[a-z0-9-]+/#) != nil else {
      throw node.wrong("“\(id)” is no id: one has small letters from a to z, digits and hyphens alone")
    }
    return id
  }

  private static func sides(_ node: ManifestNode) throws(LessonKitError) -> [Side] {
    var sides: [Side] = []
    for element in try node.elements() {
      guard let side = Side(rawValue: try element.text()), side != .foundation else {
        throw element.wrong("a side is connection or session")
      }
      sides.append(side)
    }
    return sides
  }

  private static func pitfalls(
    _ node: ManifestNode?, of programs: [String]
  ) throws(LessonKitError) -> [String: Set<Pitfall>] {
    var declared: [String: Set<Pitfall>] = [:]
    for (file, names) in try node?.pairs() ?? [] {
      guard programs.contains(file) else {
        throw names.wrong(
          "“\(file)” is no program of this exercise, such as \(programs.prefix(2).joined(separator: ", "))")
      }
      for name in try names.elements() {
        guard let pitfall = Pitfall(rawValue: try name.text()) else {
          throw name.wrong("“\(try name.text())” is no pitfall: “workbench pitfalls” lists them")
        }
        declared[file, default: []].insert(pitfall)
      }
    }
    return declared
  }

  /// Checks that a file that should not pass fails by a check of this exercise, or by an outcome.
  private func checkReasons(_ root: ManifestNode) throws(LessonKitError) {
    let known = Set(
      checks.map(\.id)
        + ExerciseOutcome.allCases.filter { ![.passed, .failed, .undecided, .notGraded].contains($0) }.map(\.rawValue))
    var reasons = [try root.need("fails_by")]
    for (_, node) in try root.find("misses")?.pairs() ?? [] { reasons.append(node) }
    for node in reasons where !known.contains(try node.text()) {
      throw node.wrong("“\(try node.text())” is no check of this exercise and no outcome")
    }
  }
}
