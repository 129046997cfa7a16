// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// Looks whether the files of exercises are in order, without compiling or running anything.
public struct ExerciseInspection: Sendable {
  /// Something that is not in order, and where.
  public struct Fault: Sendable, Hashable {
    /// The file, below the folder of the course.
    public var file: String
    /// The line in it, from 1.
    public var line: Int
    /// The fault, in a sentence.
    public var sentence: Phrase
  }

  private static let texts = Language.allCases.flatMap { [$0.file("task"), $0.file("explanation")] }
  private static let known = Set(
    [Exercise.manifestName, Exercise.fileName, Exercise.solution, "Misses", "Rights"] + texts)

  /// Where the work is. Written in two pieces, for the style check looks for it in every file.
  private static let workMark = ["// TO", "DO"].joined()

  private let exercise: Exercise
  /// The exercise's folder, below that of the course.
  private var folder: String { "\(exercise.name)/\(ExerciseCourse.subfolder)" }

  private init(_ exercise: Exercise) {
    self.exercise = exercise
  }

  /// Everything in the folder of a course that is not in order, manifests that cannot be read included.
  public static func faults(below course: URL) -> [Fault] {
    var ids: [String: String] = [:]
    return ExerciseCourse.folders(in: course).flatMap { name, folder -> [Fault] in
      let file = "\(name)/\(ExerciseCourse.subfolder)/\(Exercise.manifestName)"
      do throws(LessonKitError) {
        let exercise = try Exercise(reading: folder, name: name, calledBy: file)
        if let other = ids.updateValue(name, forKey: exercise.id) {
          return [Fault(file: file, line: 1, sentence: "“\(other)” has the id “\(exercise.id)”, too")]
        }
        return faults(of: exercise)
      } catch {
        return [unreadable(error, file)]
      }
    }
  }

  /// Everything about the texts of an exercise that is not in order.
  static func faults(of exercise: Exercise) -> [Fault] {
    let inspection = ExerciseInspection(exercise)
    return inspection.program() + inspection.hints() + texts.flatMap(inspection.text) + inspection.misses()
      + inspection.strayFiles()
  }

  /// A manifest's error names its place itself.
  private static func unreadable(_ error: LessonKitError, _ file: String) -> Fault {
    let parts = error.description.split(separator: ":", maxSplits: 2)
    guard parts.count == 3, parts[0] == file, let line = Int(parts[1]) else {
      return Fault(file: file, line: 1, sentence: error.phrase)
    }
    return Fault(file: file, line: line, sentence: Phrase(verbatim: parts[2].trimmed))
  }

  // MARK: - Files

  private func program() -> [Fault] {
    let lines = lines(of: Exercise.fileName)
    let marked = lines.indices.filter { lines[$0].contains(Self.workMark) }
    var faults: [Fault] = []
    if marked.count != 1 {
      faults.append(
        fault(
          Exercise.fileName, marked.dropFirst().first.map { $0 + 1 } ?? 1,
          "\(Exercise.fileName) has \(marked.count) lines with “\(Self.workMark)”, not one"))
    }
    if lines.isEmpty { faults.append(fault(Exercise.fileName, 1, "\(Exercise.fileName) is missing or says nothing")) }
    if self.lines(of: Exercise.solution).isEmpty {
      faults.append(fault(Exercise.solution, 1, "\(Exercise.solution) is missing or says nothing"))
    }
    return faults
  }

  private func hints() -> [Fault] {
    Language.allCases.filter { language in
      let hints = exercise.manifest.hints.map { $0(language) }
      return !(2...3).contains(hints.count) || Set(hints).count != hints.count
    }.map { language in
      fault(
        Exercise.manifestName, line(of: "hints:"),
        "in \(language.rawValue) there are not two or three hints that differ")
    }
  }

  private func text(_ file: String) -> [Fault] {
    let lines = lines(of: file)
    guard lines.reduce(0, { $0 + $1.count }) >= 40 else {
      return [fault(file, 1, "\(file) is missing or says nothing")]
    }
    guard let language = Language.allCases.first(where: { $0.file("task") == file }) else { return [] }
    let limit = limit(language)
    return lines.contains { $0.contains(limit) }
      ? [] : [fault(file, 1, "\(file) does not say how long a run may take: “\(limit)”")]
  }

  /// How long a run may take, as a task says it.
  private func limit(_ language: Language) -> String {
    let seconds = String(format: "%g", exercise.manifest.limit / .seconds(1))
    return language == .simplifiedChinese ? "限时 \(seconds) 秒" : "has \(seconds) s"
  }

  private func misses() -> [Fault] {
    let (misses, place) = (exercise.manifest.misses, line(of: "misses:"))
    var faults = misses.keys.sorted().map { "Misses/\($0)" }.filter { lines(of: $0).isEmpty }.map {
      misfit(of: $0) ?? fault(Exercise.manifestName, place, "\($0) is missing or says nothing")
    }
    if misses.count < 2 { faults.append(fault(Exercise.manifestName, place, "there are fewer than two near misses")) }
    faults += exercise.manifest.rights.filter { lines(of: "Rights/\($0)").isEmpty }.map {
      fault(Exercise.manifestName, line(of: "rights:"), "\("Rights/" + $0) is missing or says nothing")
    }
    return faults
  }

  /// Finds the fault of the edit that a near miss is kept as; nil where it is kept whole, or the edit fits.
  private func misfit(of miss: String) -> Fault? {
    guard let edit = exercise.edit(making: miss) else { return nil }
    do throws(LessonKitError) {
      _ = try exercise.text(of: miss)
      return nil
    } catch {
      return fault(edit, 1, error.phrase)
    }
  }

  private func strayFiles() -> [Fault] {
    let names = { (folder: String) in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
    let misses = exercise.manifest.misses.keys.map { exercise.edit(making: "Misses/\($0)") ?? "Misses/\($0)" }
    let stray =
      names(exercise.folder.path).filter { !Self.known.contains($0) }
      + names(exercise.path(of: "Misses")).map { "Misses/\($0)" }.filter { !misses.contains($0) }
      + names(exercise.path(of: "Rights")).filter { !exercise.manifest.rights.contains($0) }.map { "Rights/\($0)" }
    return stray.map { fault($0, 1, "there is a stray file \($0)") }
  }

  // MARK: - Lines

  private func fault(_ file: String, _ line: Int, _ sentence: Phrase) -> Fault {
    Fault(file: "\(folder)/\(file)", line: line, sentence: sentence)
  }

  /// The lines of a file; none where it cannot be read.
  private func lines(of file: String) -> [Substring] {
    guard let text = try? exercise.text(of: file), !text.isEmpty else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The line of the manifest that begins so, the first one where none does.
  private func line(of start: String) -> Int {
    1 + (lines(of: Exercise.manifestName).firstIndex { $0.hasPrefix(start) } ?? 0)
  }
}
