// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Locking
import Reports

/// Grades the class in a folder, and writes what is known of it then.
struct ClassGrading {
  /// How long a hand-in may take for each of its exercises, compiling and all runs: what Slurm's jobs have as well.
  private static let patience = Duration.seconds(600)

  let folder: String
  let course: ExerciseCourse
  let exercises: [Exercise]
  let jobs: Int
  /// The arguments of the graders of single hand-ins that decide on a result.
  let way: [String]
  let language: Language
  let options: ClassOptions
  let messages: Messages

  func run() async throws {
    let results = ClassResults(options.place(for: folder))
    let comparison = try options.jplag.map { path throws(LessonKitError) in try ComparisonFolder(path) }
    let outputs = try ClassOutputs(options, results: results.folder, course: course)
    let archive = try await Interruption.cancelling { [folder] in try await ClassArchive(folder) }
    let whole = try ClassFolder(
      archive?.folder ?? URL(fileURLWithPath: folder), called: folder,
      without: [results.folder.path, comparison?.url.path].compactMap { $0 } + outputs.own,
      platform: outputs.platform, students: outputs.students)
    defer { withExtendedLifetime((archive, whole)) {} }
    let handIns = whole.handIns
    let again = try named(handIns)
    try await Interruption.cancelling { [course, exercises] in
      try await comparison?.write(handIns, of: course, exercises)
    }
    guard !options.isOnlyWriting else { return try report(handIns, results, outputs) }
    // The graders of single hand-ins say it in their logs alone.
    for lack in await Sandbox.strongest().lacks { messages.tell(lack) }
    let ending = try await grade(handIns, again: again, results)
    try report(handIns, results, outputs, without: Set(ending.failed.keys))
    try tell(of: ending, results)
  }

  // MARK: - Grading

  /// The names of the hand-ins that are to be graded again.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` where no hand-in is called so.
  private func named(_ handIns: [HandIn]) throws(LessonKitError) -> Set<String> {
    var names: Set<String> = []
    for name in options.regrade {
      let meant = handIns.filter { $0.isCalled(name) }
      guard !meant.isEmpty else {
        let some = handIns.prefix(5).map { FileNames.printable($0.name) }.joined(separator: ", ")
        throw LessonKitError(
          .unknownName, "No hand-in is called “\(name)”. Hand-ins are called as in the table, such as: \(some).")
      }
      names.formUnion(meant.map(\.name))
    }
    return names
  }

  private func grade(_ handIns: [HandIn], again: Set<String>, _ results: ClassResults) async throws
    -> ClassGrader.Progress
  {
    let arguments = way + ["--format", GradeFormat.record.rawValue, "--language", language.rawValue]
    let process = GraderProcess(arguments: arguments, limit: Self.patience * exercises.count)
    let grader = ClassGrader(results, process, jobs: jobs, way: way.joined(separator: " "))
    let last = Locked(ClassGrader.Progress(total: handIns.count))
    let line = ProgressLine()
    defer { line.clear() }
    do {
      return try await Interruption.cancelling {
        try await grader.grade(handIns, again: again) { progress in
          last.withLock { $0 = progress }
          line.show(messages.catalogue(Self.words(progress)))
        }
      }
    } catch let signal as Interrupted {
      line.clear()
      let known = last.withLock { $0 }
      messages.tell(
        "\(known.done) of \(known.total) hand-ins are graded and kept in \(results.folder.path). Call it again to go on."
      )
      throw signal
    }
  }

  private static func words(_ progress: ClassGrader.Progress) -> Phrase {
    let names = progress.running.sorted().map(FileNames.printable).joined(separator: ", ")
    let shown = names.count > 60 ? names.prefix(60) + "…" : names[...]
    return "graded \(progress.done) of \(progress.total): \(String(shown))"
  }

  /// - Throws: the exit status where a grader could not do its work.
  private func tell(of ending: ClassGrader.Progress, _ results: ClassResults) throws {
    guard !ending.failed.isEmpty else { return }
    let names = ending.failed.keys.sorted().prefix(5).map(FileNames.printable).joined(separator: ", ")
    messages.tell(
      "\(Phrase.count(ending.failed.count, "hand-in")) could not be graded: \(names). See \(results.folder.path)/logs, then "
        + "call it again.")
    throw ExitStatus.environment
  }

  // MARK: - What is known then

  /// A hand-in among `failed` has no result: one that may be there is of an earlier state.
  private func report(
    _ handIns: [HandIn], _ results: ClassResults, _ outputs: ClassOutputs, without failed: Set<String> = []
  ) throws {
    let rows = outputs.doubted(
      handIns.map { GradedHandIn($0, failed.contains($0.name) || $0.places.isEmpty ? nil : results.report(of: $0)) })
    try outputs.write(rows, messages)
    let style = TextStyle(
      width: Terminal.width, isColored: false, isASCII: Terminal.isASCII(), catalogue: messages.catalogue)
    try Terminal.show(ClassTable(rows, style).text)
  }
}
