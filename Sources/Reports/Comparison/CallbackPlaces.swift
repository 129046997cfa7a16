// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The kinds of places in which callbacks of one name came, over all repetitions of an example. Numbers that threads and
/// queues have by chance are no part of a kind.
struct CallbackPlaces {
  /// A place without the numbers.
  struct Kind: Hashable {
    var isMain: Bool
    var queue: String?
    var mode: String?
  }

  /// A kind of place that fewer of the callbacks saw depends on the moment: a tenth.
  private static let leastShare = 10

  let name: String
  /// In how many repetitions each kind was seen by enough callbacks to count.
  private var seen: [Kind: Int] = [:]
  /// Every kind that any callback saw.
  private var ever: Set<Kind> = []
  private let repetitions: Int

  /// A callback that never came.
  init(_ name: String) {
    self.init(name, in: [])
  }

  init(_ name: String, in runs: [ExampleResult]) {
    self.name = name
    repetitions = runs.count
    for run in runs {
      var counts: [Kind: Int] = [:]
      for callback in run.callbacks where callback.title == name && callback.implemented {
        for place in callback.places { counts[Kind(place), default: 0] += place.count }
      }
      let all = counts.values.reduce(0, +)
      ever.formUnion(counts.keys)
      for (kind, count) in counts where count * Self.leastShare >= all { seen[kind, default: 0] += 1 }
    }
  }

  /// The kinds that every repetition saw.
  private var always: Set<Kind> { Set(seen.filter { $0.value == repetitions }.keys) }

  /// True if a kind that one side saw in every repetition never came on the other.
  func differs(from other: CallbackPlaces) -> Bool {
    !always.isSubset(of: other.ever) || !other.always.isSubset(of: ever)
  }

  /// The kinds in words, `never` where there are none.
  var words: Phrase {
    ever.isEmpty ? "never" : ever.map(\.words).sorted { $0.description < $1.description }.joined("; ")
  }
}

extension CallbackPlaces.Kind {
  init(_ place: PlaceCount) {
    isMain = place.thread.main
    mode = place.runLoopMode
    // On main Foundation always names the main queue, also for what a run-loop source brought.
    queue = isMain && mode != nil ? nil : place.queue.map(Self.name)
  }

  /// A queue's name; empty for one that has none, which Foundation names after its address and a report numbers.
  private static func name(_ queue: String) -> String {
    let isNumber = queue.hasPrefix("queue ") && Int(queue.dropFirst(6)) != nil
    return isNumber || queue.hasPrefix("NSOperationQueue 0x") ? "" : queue
  }

  var words: Phrase {
    var words: [Phrase] = [isMain ? "main thread" : "a thread off main"]
    switch queue {
    case "NSOperationQueue Main Queue": words.append("main queue")
    case "": words.append("a queue without a name")
    case let queue?: words.append("queue “\(queue)”")
    case nil: break
    }
    switch mode {
    case "kCFRunLoopDefaultMode", "NSDefaultRunLoopMode": words.append("mode default")
    case "UITrackingRunLoopMode": words.append("mode tracking")
    case "kCFRunLoopCommonModes": words.append("mode common")
    case let mode?: words.append("mode \(mode)")
    case nil: break
    }
    return words.joined(", ")
  }
}
