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
    do throws(LessonKitError) {
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
  ///   - progress: told before each lesson that is compiled: its id, how many began before, how many there are.
  /// - Throws: `CancellationError`.
  public func added(
    to chosen: [Lesson], _ options: RunOptions, progress: @Sendable (String, Int, Int) -> Void
  ) async throws -> [Lesson] {
    let wanted = chosen.map { lesson in options.chosen(from: lesson).filter { $0.side == .session } }
    let homes = Set(zip(chosen, wanted).flatMap { lesson, examples in examples.map { $0.origin?.lesson ?? lesson.id } })
    let outcomes = try await build(homes.sorted(), progress: progress)
    return zip(chosen, wanted).map { lesson, examples in
      var copy = lesson
      copy.examples += examples.map { example in
        let (home, id) = (example.origin?.lesson ?? lesson.id, example.origin?.example ?? example.id)
        return (outcomes[home] ?? Built()).substitute(for: example, named: id)
      }
      return copy
    }
  }

  /// The outcome of building a lesson's examples.
  fileprivate struct Built: Sendable {
    var executable: String?
    var refusals: [String: String] = [:]
    var trouble = Phrase.empty

    func substitute(for example: Example, named id: String) -> Example {
      let refusal = refusals[id].map { Phrase(verbatim: $0) } ?? trouble
      return example.substituted(by: refusal.isEmpty ? executable : nil, program: id, refusal: refusal)
    }
  }

  // MARK: - Building

  /// How many lessons are compiled at a time: one for each processor, as long as there are 2 GiB for each.
  private static var width: Int {
    let machine = ProcessInfo.processInfo
    return max(1, min(machine.activeProcessorCount, Int(clamping: machine.physicalMemory >> 31)))
  }

  /// The lessons' programs: those that are kept, and the others compiled several at a time. Nothing is measured meanwhile.
  private func build(
    _ homes: [String], progress: @Sendable (String, Int, Int) -> Void
  ) async throws -> [String: Built] {
    guard let built else { return homes.reduce(into: [:]) { $0[$1] = Built(trouble: trouble) } }
    do {
      let builder = try ToolchainBuilder(built: built)
      let inputs = try await builder.prepare()
      var outcomes: [String: Built] = [:]
      var left: [(home: String, program: ToolchainProgram)] = []
      for home in homes {
        guard let lesson = lessons.first(where: { $0.id == home }) else { continue }
        do throws(LessonKitError) {
          let program = try ToolchainProgram(of: lesson, below: root)
          outcomes[home] = builder.find(program, with: inputs).map(Built.init)
          if outcomes[home] == nil { left.append((home, program)) }
        } catch {
          outcomes[home] = Built(trouble: error.phrase)
        }
      }
      let compiled = try await compile(left, builder, inputs, progress: progress)
      return outcomes.merging(compiled) { first, _ in first }
    } catch let error as LessonKitError {
      return homes.reduce(into: [:]) { $0[$1] = Built(trouble: error.phrase) }
    }
  }

  private func compile(
    _ left: [(home: String, program: ToolchainProgram)], _ builder: ToolchainBuilder,
    _ inputs: ToolchainBuilder.SharedInputs,
    progress: @Sendable (String, Int, Int) -> Void
  ) async throws -> [String: Built] {
    guard !left.isEmpty else { return [:] }
    let standIn = try await builder.makeStandIn(with: inputs)
    defer { try? FileManager.default.removeItem(at: standIn) }
    return try await withThrowingTaskGroup(of: (String, Built).self) { group in
      var (begun, outcomes) = (0, [String: Built]())
      func begin() {
        guard begun < left.count else { return }
        let (home, program) = left[begun]
        progress(home, begun, left.count)
        begun += 1
        group.addTask {
          do {
            return (home, Built(try await builder.build(program, with: inputs, standIn: standIn)))
          } catch let error as LessonKitError {
            return (home, Built(trouble: error.phrase))
          }
        }
      }
      for _ in 0..<Self.width { begin() }
      while let (home, outcome) = try await group.next() {
        outcomes[home] = outcome
        begin()
      }
      return outcomes
    }
  }
}

extension ToolchainColumn.Built {
  fileprivate init(_ outcome: ToolchainBuilder.Outcome) {
    (executable, refusals) = (outcome.executable, outcome.refusals)
  }
}
