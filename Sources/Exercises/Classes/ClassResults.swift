// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
import LessonKit

/// The folder with the results of a class, a file for each hand-in. A result is there as a whole or not at all, so that a
/// grading that was killed goes on where it stopped.
public struct ClassResults: Sendable {
  /// The folder: `results/NAME.json`, `logs/NAME.log`, and what the grading needs while it runs.
  public let folder: URL

  /// The results in this folder, which need not be there.
  public init(_ folder: URL) { self.folder = folder }

  private struct Kept: Codable {
    /// The hand-in that the result is of, and the way in which it was graded.
    struct Origin: Codable { var stamp: String }
    var origin: Origin?
  }

  /// Finds the report about a hand-in, and whether it is of the hand-in as it is now and of this way of grading. A
  /// result without a stamp is another grader's, such as Slurm's, and counts as it is.
  func find(_ handIn: HandIn, _ stamp: HandInStamp?) -> (report: GradeReport, isCurrent: Bool)? {
    guard let (report, origin) = read(handIn.name) else {
      // Slurm's jobs and the pods of Kubernetes know entries of the class's folder.
      let reports = handIn.places.compactMap { read($0.lastPathComponent)?.report }
      return Self.joined(reports).map { ($0, true) }
    }
    return (report, stamp.map { origin == nil || origin?.stamp == $0.description } ?? true)
  }

  /// The report of an entry or a hand-in; the pods leave a folder for each.
  private func read(_ name: String) -> (report: GradeReport, origin: Kept.Origin?)? {
    let places = [file(of: name, "results", "json"), folder.appendingPathComponent("results/\(name)/results.json")]
    guard let data = places.lazy.compactMap({ FileManager.default.contents(atPath: $0.path) }).first,
      let report = try? JSONDecoder().decode(GradeReport.self, from: data)
    else { return nil }
    return (report, try? JSONDecoder().decode(Kept.self, from: data).origin)
  }

  /// The report of a student whose files were graded each by itself: that of the only one with a program, or none that decides.
  private static func joined(_ reports: [GradeReport]) -> GradeReport? {
    let decided = reports.filter { report in
      report.exercises.allSatisfy(\.outcome.isDecided) && !report.exercises.allSatisfy { $0.outcome == .missing }
    }
    guard decided.count > 1, var report = decided.first else { return decided.first ?? reports.first }
    for index in report.exercises.indices {
      report.exercises[index].outcome = .undecided
      report.exercises[index].why = "\(decided.count) of its files were graded, each by itself"
    }
    return report
  }

  /// Returns the report about a hand-in, nil where it was not graded.
  public func report(of handIn: HandIn) -> GradeReport? { find(handIn, nil)?.report }

  /// Keeps a result in place of an earlier one.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be written.
  func keep(_ report: GradeReport, of handIn: HandIn, _ stamp: HandInStamp) throws(LessonKitError) {
    let text = ExerciseJSON.encoded(
      Stamped(report: report, origin: Kept.Origin(stamp: stamp.description)), phrases: true)
    let file = file(of: handIn.name, "results", "json")
    do {
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw Self.cannotWrite(file)
    }
  }

  private struct Stamped: Encodable {
    var report: GradeReport
    var origin: Kept.Origin
    private enum Keys: String, CodingKey { case origin }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var object = encoder.container(keyedBy: Keys.self)
      try object.encode(origin, forKey: .origin)
    }
  }

  // MARK: - Files

  /// The log of a hand-in's grading.
  public func log(of handIn: HandIn) -> URL { file(of: handIn.name, "logs", "log") }
  /// Where one grading of a hand-in leaves its report, another place each time: a grader whose parent was killed may still write
  /// while the next one of the same hand-in is at work.
  func makeWork() -> URL { folder.appendingPathComponent("work/\(UUID().uuidString).json") }

  private func file(of name: String, _ kind: String, _ ending: String) -> URL {
    folder.appendingPathComponent("\(kind)/\(FileNames.file(name, ending))")
  }

  /// Makes the folders, and takes the results for this process until the answer is gone.
  ///
  /// - Throws: `LessonKitError` with code `environment` when they cannot be made or another process has the results.
  func open() throws(LessonKitError) -> ClassHold {
    for kind in ["results", "logs", "work"] {
      let place = folder.appendingPathComponent(kind, isDirectory: true)
      do {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      } catch {
        throw Self.cannotWrite(place)
      }
    }
    guard let hold = ClassHold(folder.appendingPathComponent("lock")) else {
      throw LessonKitError(
        .environment, "Another grading writes to \(folder.path) just now. Wait for its end, or name another --results.")
    }
    let work = folder.appendingPathComponent("work")
    for name in (try? FileManager.default.contentsOfDirectory(atPath: work.path)) ?? [] {
      try? FileManager.default.removeItem(at: work.appendingPathComponent(name))
    }
    return hold
  }

  private static func cannotWrite(_ file: URL) -> LessonKitError {
    LessonKitError(.environment, "The file \(file.path) cannot be written. Is there space, and may you write it?")
  }
}

/// The results of a class in the hand of this process. The kernel lets the lock go with the process, however it ends.
final class ClassHold: Sendable {
  private let descriptor: Int32

  /// Nil where another process has it.
  init?(_ file: URL) {
    descriptor = Glibc.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
  }

  /// A process that was started just now may not have closed its copy yet; the lock goes all the same.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
