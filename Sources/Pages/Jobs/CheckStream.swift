// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The checks of one exercise as its page hears them: at once how things stand, and again whenever that changes. A browser
/// that lost the stream hears it anew, so no event has a number.
struct CheckStream: Sendable {
  private struct State: Encodable, Equatable {
    /// How many checks of the exercise have ended since the server started.
    var number: Int
    var words: String
  }

  private let board: JobBoard
  private let checks: SaveChecks
  private let say: StringCatalogue

  init(_ board: JobBoard, _ checks: SaveChecks, _ say: StringCatalogue) {
    (self.board, self.checks, self.say) = (board, checks, say)
  }

  /// The events of `order`'s exercise. While a page reads them, each save of `file` is checked.
  func events(of order: CheckOrder, file: String) -> AsyncStream<String> {
    AsyncStream { continuation in
      let task = Task {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await checks.watch(file, order) }
          continuation.yield("retry: 500\n\n")
          var last: State?
          for await _ in board.changes() {
            let state = state(of: order.exercise)
            if state != last { continuation.yield(Self.text(of: state)) }
            last = state
          }
          group.cancelAll()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func state(of exercise: String) -> State {
    State(number: board.checks(of: exercise), words: say(words(of: exercise)))
  }

  private func words(of exercise: String) -> Phrase {
    if let job = board.job, case .check(let order) = job.order, order.exercise == exercise {
      switch job.state {
      case .running: return "checking \(exercise)"
      case .failed(let why): return why
      case .finished, .stopped: break
      }
    }
    return "While this page is open, your program is checked whenever you save it."
  }

  private static func text(of state: State) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A text and a number always encode, and JSON has no line break of its own.
    let data = (try? encoder.encode(state)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return "event: state\ndata: \(data)\n\n"
  }
}

extension CheckReport {
  /// How it came out, with its points.
  var head: Phrase { "\(outcome), \(score) of \(points) points" }
}
