// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Grades a class, some hand-ins at a time, and keeps each result as soon as it is there.
public struct ClassGrader: Sendable {
  /// How far the grading is.
  public struct Progress: Sendable, Hashable {
    /// How many hand-ins there are.
    public var total: Int
    /// How many have a result.
    public var done = 0
    /// Those that have none, with the exit status of their grader; nil where it was ended.
    public var failed: [String: Int32?] = [:]
    /// Those that are graded now.
    public var running: Set<String> = []

    /// Nothing of so many hand-ins.
    public init(total: Int) { self.total = total }
  }

  private let results: ClassResults
  private let process: GraderProcess
  private let jobs: Int
  private let way: String

  /// A grader of up to `jobs` hand-ins at a time. `way` says what else than the hand-in decides on a result: where it is another
  /// one than that of a result which is there, the hand-in is graded again.
  public init(_ results: ClassResults, _ process: GraderProcess, jobs: Int, way: String) {
    (self.results, self.process, self.jobs, self.way) = (results, process, max(1, jobs), way)
  }

  /// Grades every hand-in that has no result, or has changed since, and those with a name in `again`; one without places stays
  /// closed. `known` is called after each change, on the grader's own task.
  ///
  /// - Throws: `LessonKitError` with code `environment`; `CancellationError`, and what was graded until then is kept.
  public func grade(_ handIns: [HandIn], again: Set<String> = [], known: @Sendable (Progress) -> Void) async throws
    -> Progress
  {
    let hold = try results.open()
    defer { withExtendedLifetime(hold) {} }
    var progress = Progress(total: handIns.count { !$0.places.isEmpty })
    var waiting: [HandIn] = []
    for handIn in handIns where !handIn.places.isEmpty {
      if !again.contains(handIn.name), results.find(handIn, HandInStamp(handIn, gradedBy: way))?.isCurrent == true {
        progress.done += 1
      } else {
        waiting.append(handIn)
      }
    }
    known(progress)
    try await withThrowingTaskGroup(of: (HandIn, HandInStamp, GraderProcess.Ending).self) { group in
      var next = waiting.makeIterator()
      func start() {
        guard let handIn = next.next() else { return }
        progress.running.insert(handIn.name)
        group.addTask { try await result(of: handIn) }
      }
      for _ in 0..<jobs { start() }
      known(progress)
      while let (handIn, stamp, ending) = try await group.next() {
        progress.running.remove(handIn.name)
        switch ending {
        case .graded(let report):
          try results.keep(report, of: handIn, stamp)
          progress.done += 1
        case .failed(let status): progress.failed.updateValue(status, forKey: handIn.name)
        }
        start()
        known(progress)
      }
    }
    return progress
  }

  /// The stamp is of the hand-in before it was graded: a change in between is graded the next time.
  private func result(of handIn: HandIn) async throws -> (HandIn, HandInStamp, GraderProcess.Ending) {
    let stamp = HandInStamp(handIn, gradedBy: way)
    let ending = try await process.grade(handIn, output: results.makeWork(), log: results.log(of: handIn))
    return (handIn, stamp, ending)
  }
}
