// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The third column of a run: each Session example once more, with the toolchain's own URLSession.
public struct ToolchainColumn: Sendable {
  private let lessons: [Lesson]
  private let root: URL
  private let built: BuiltWorkbench?
  private let trouble: Phrase

  /// The column for lessons whose files lie below `root`. `lessons` are all there are, since examples are borrowed.
  public init(of lessons: [Lesson], below root: URL) {
    self.lessons = lessons
    self.root = root
    do throws(ExercisesError) {
      built = try BuiltWorkbench()
      trouble = .empty
    } catch {
      built = nil
      trouble = error.phrase
    }
  }

  /// These lessons with the column in them. Whatever keeps an example from being built is its result.
  ///
  /// - Parameters:
  ///   - options: what is chosen of the lessons; nothing else is built.
  ///   - progress: told before each lesson that is looked at: its id, how many are done, how many there are.
  /// - Throws: `CancellationError`.
  public func added(
    to chosen: [Lesson], _ options: RunOptions, progress: @Sendable (String, Int, Int) -> Void
  ) async throws -> [Lesson] {
    let wanted = chosen.map { lesson in options.chosen(from: lesson).filter { $0.side == .session } }
    let homes = Set(zip(chosen, wanted).flatMap { lesson, examples in examples.map { $0.origin?.lesson ?? lesson.id } })
    var outcomes: [String: Built] = [:]
    for (number, home) in homes.sorted().enumerated() {
      progress(home, number, homes.count)
      outcomes[home] = try await build(home)
    }
    return zip(chosen, wanted).map { lesson, examples in
      var copy = lesson
      copy.examples += examples.map { example in
        let (home, id) = (example.origin?.lesson ?? lesson.id, example.origin?.example ?? example.id)
        return (outcomes[home] ?? Built()).substitute(for: example, named: id)
      }
      return copy
    }
  }

  /// What became of a lesson's examples.
  private struct Built {
    var executable: String?
    var refusals: [String: String] = [:]
    var trouble = Phrase.empty

    func substitute(for example: Example, named id: String) -> Example {
      let refusal = refusals[id].map { Phrase(verbatim: $0) } ?? trouble
      return example.substituted(by: refusal.isEmpty ? executable : nil, program: id, refusal: refusal)
    }
  }

  private func build(_ home: String) async throws -> Built {
    guard let lesson = lessons.first(where: { $0.id == home }), let built else { return Built(trouble: trouble) }
    do {
      let outcome = try await ToolchainBuilder(built: built).build(ToolchainProgram(of: lesson, below: root))
      return Built(executable: outcome.executable, refusals: outcome.refusals)
    } catch let error as ExercisesError {
      return Built(trouble: error.phrase)
    }
  }
}
