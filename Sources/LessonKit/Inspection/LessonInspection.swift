// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Looks whether the files of the lessons are in order: texts in every language with the code and the words they refer
/// to, translations of every sentence, sources of all examples, each claim settled by exactly the lessons that the table
/// of claims names, once by each.
public struct LessonInspection {
  /// Something that is not in order, and where.
  public struct Fault: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The file, below the folder of lessons.
    public var file: String
    /// The line in it, from 1.
    public var line: Int
    /// The sentence that tells the fault.
    public var sentence: String

    /// A fault as given.
    public init(file: String, line: Int, sentence: String) {
      (self.file, self.line, self.sentence) = (file, line, sentence)
    }

    /// One line for a person or an editor: file, line, sentence.
    public var description: String { "\(file):\(line): \(sentence)" }
  }

  private let lessons: [Lesson]
  private let root: URL

  /// An inspection of these lessons, whose files lie below `root`.
  public init(_ lessons: [Lesson], root: URL) {
    self.lessons = lessons
    self.root = root
  }

  /// Everything that is not in order, lesson by lesson.
  public func faults() -> [Fault] {
    lessons.flatMap { texts(of: $0) + sources(of: $0) + claims(of: $0) + questions(of: $0) } + strays()
      + Language.allCases.flatMap { TranslationInspection(lessons, root: root).faults(in: $0) }
  }

  // MARK: - One lesson

  private func texts(of lesson: Lesson) -> [Fault] {
    Language.allCases.flatMap { TextInspection(lesson, root: root).faults(in: $0) }
  }

  /// A question to answer before the run, and pairs of examples that are there.
  private func questions(of lesson: Lesson) -> [Fault] {
    func fault(_ sentence: String) -> Fault { Fault(file: lesson.folder, line: 1, sentence: sentence) }
    let examples = Set(lesson.examples.map(\.id))
    let lost = lesson.pairs.flatMap { [$0.connection, $0.session] }.filter { !examples.contains($0) }
    var faults = lost.map { fault("a pair names \($0), which is no example") }
    guard let prediction = lesson.prediction else { return faults + [fault("no question is asked before the run")] }
    if !prediction.answers.indices.contains(prediction.right - 1) {
      faults.append(fault("the right answer is number \(prediction.right) of \(prediction.answers.count)"))
    }
    if !(lesson.claims + lesson.checks).contains(where: { $0.id == prediction.claim }) {
      faults.append(fault("the question is answered by \(prediction.claim), which is not settled here"))
    }
    return faults
  }

  private func sources(of lesson: Lesson) -> [Fault] {
    lesson.examples.filter { read("\(lesson.folder)/\($0.file)") == nil }.map { example in
      Fault(file: "\(lesson.folder)/\(example.file)", line: 1, sentence: "the source of \(example.id) is missing")
    }
  }

  private func claims(of lesson: Lesson) -> [Fault] {
    let wanted = (ClaimTable.rows(ofLesson: lesson.number) + ClaimTable.checks(ofLesson: lesson.number)).map(\.id)
    let settled = (lesson.claims + lesson.checks).map(\.id)
    let counts = settled.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let wrong = settled.filter { !wanted.contains($0) }.map {
      ($0, "the table of claims does not give it to this lesson")
    }
    let twice = counts.filter { $0.value > 1 }.map(\.key).sorted().map { ($0, "it is settled twice") }
    let missing = wanted.filter { counts[$0] == nil }.map { ($0, "no lesson settles it here") }
    let lost = (lesson.claims + lesson.checks).flatMap { claim in
      claim.needs.filter { need in !lesson.examples.contains { $0.id == need } }.map {
        (claim.id, "it needs \($0), which is no example")
      }
    }
    return (wrong + twice + missing + lost).map { id, sentence in
      let (file, line) = place(of: id, in: lesson)
      return Fault(file: file, line: line, sentence: "claim \(id): \(sentence)")
    }
  }

  // MARK: - Files

  /// Where a claim's id stands in the lesson's sources, the last time; its folder where it does not.
  private func place(of id: String, in lesson: Lesson) -> (file: String, line: Int) {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(lesson.folder).path)) ?? []
    for name in names.sorted() where name.hasSuffix(".swift") {
      let lines = read("\(lesson.folder)/\(name)")?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
      if let line = lines.lastIndex(where: { $0.contains("\"\(id)\"") }) {
        return ("\(lesson.folder)/\(name)", line + 1)
      }
    }
    return (lesson.folder, 1)
  }

  /// Folders that look like a lesson's and are none.
  private func strays() -> [Fault] {
    let known = Set(lessons.map(\.folder))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().filter { $0.hasPrefix("lesson-") && !known.contains($0) }.map { name in
      Fault(file: name, line: 1, sentence: "no lesson of the course has this folder")
    }
  }

  private func read(_ path: String) -> String? {
    try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
