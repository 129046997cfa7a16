// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The marks for a check on the lanes of one run's drawing: where something was wanted, and where it came instead.
struct CheckMarks {
  private struct LaneMark {
    var words: String
    var holds: Bool
  }

  private let mark: FigureMark
  private let say: StringCatalogue
  /// The marks of lanes, by thread.
  private let lanes: [Int: LaneMark]

  /// The marks of `mark` in the drawing of `example`; `wanted` says what the check wants. Only the program that was checked
  /// shows values as an application does: these.
  init(
    _ mark: FigureMark, wanted: Phrase, in example: ExampleResult, showing shown: [ShownValue]?, say: StringCatalogue
  ) {
    (self.mark, self.say) = (mark, say)
    let places = example.callbacks.filter(\.implemented).flatMap(\.places)
    switch mark {
    case .callbacks(.threads, _, let most): lanes = Self.threads(places, most ?? .max, wanted, say)
    case .callbacks(let which, let least, let most):
      let meant = places.filter { which == .main ? $0.thread.main : !$0.thread.main && $0.queue == nil }
      let count = meant.reduce(0) { $0 + $1.count }
      let holds = count >= least ?? 0 && count <= most ?? .max
      let threads = Set(meant.map(\.thread.id)).union(which == .main ? [Self.main(places)] : [])
      let words = say.say("\(Phrase.count(count, "callback")) here; wanted: \(wanted)")
      lanes = Dictionary(uniqueKeysWithValues: threads.map { ($0, LaneMark(words: words, holds: holds)) })
    case .shown(let kind, let inTouch):
      guard let shown else {
        lanes = [:]
        break
      }
      let words: Phrase = inTouch ? "wanted here: \(wanted)" : "wanted here"
      let elsewhere = shown.filter { $0.kind == kind && !$0.thread.main }.map(\.thread.id)
      var marks = [Self.main(places): LaneMark(words: say(words), holds: true)]
      for thread in elsewhere { marks[thread] = LaneMark(words: say("not wanted here" as Phrase), holds: false) }
      lanes = marks
    case .silence(let most):
      lanes = [Self.main(places): LaneMark(words: say.say("allowed: \(Figures.time(most))"), holds: true)]
    case .memory, .requests: lanes = [:]
    }
  }

  private static func main(_ places: [PlaceCount]) -> Int { places.first(where: \.thread.main)?.thread.id ?? 1 }

  /// Threads beyond those that are allowed do not hold.
  private static func threads(
    _ places: [PlaceCount], _ most: Int, _ wanted: Phrase, _ say: StringCatalogue
  ) -> [Int: LaneMark] {
    var marks: [Int: LaneMark] = [:]
    for (number, thread) in Set(places.map(\.thread.id)).sorted().enumerated() {
      let words: Phrase = number == 0 ? "wanted: \(wanted)" : number == most ? "beyond what is wanted" : .empty
      marks[thread] = LaneMark(words: say(words), holds: number < most)
    }
    // The lane of those that have none of their own.
    if marks.count > most { marks[0] = LaneMark(words: "", holds: false) }
    return marks
  }

  /// True if the lanes of threads tell of it.
  var hasLanes: Bool {
    switch mark {
    case .callbacks, .shown, .silence: true
    case .memory, .requests: false
    }
  }

  /// True if the lane of requests tells of it.
  var hasRequests: Bool {
    if case .requests = mark { true } else { false }
  }

  /// The mark of a lane: a frame about what is meant, and words at the right end above it.
  func svg(
    _ lane: TimelineData.Lane, top: Int, track: Int, height: Int, _ axis: TimeAxis, _ data: TimelineData
  ) -> String {
    let isMain = lane.thread == data.lanes.first?.thread
    var frames = ""
    switch mark {
    case .silence(let most) where isMain:
      // The part of each gap that is allowed.
      for gap in data.gaps where gap[1] - gap[0] > most {
        let (x, width) = axis.extent(gap[0], gap[0] + most)
        frames += Self.frame("allowed", x, width, track + height, 4)
      }
    case .shown(_, true) where isMain:
      guard let touch = data.touch else { return "" }
      let (x, width) = axis.extent(touch[0], touch[1])
      frames = Self.frame("wanted", x, width, track - 2, height + 4)
    default:
      if let mark = lanes[lane.thread] {
        frames = Self.frame(mark.holds ? "wanted" : "unwanted", "0", "100%", track - 2, height + 4)
      }
    }
    guard let mark = lanes[lane.thread] else { return frames }
    return frames + words(mark.words, top, isMissed: !mark.holds)
  }

  private static func frame(_ style: String, _ x: String, _ width: String, _ y: Int, _ height: Int) -> String {
    "<rect class=\"\(style)\" x=\"\(x)\" width=\"\(width)\" y=\"\(y)\" height=\"\(height)\"/>"
  }

  private func words(_ words: String, _ top: Int, isMissed: Bool = false) -> String {
    let style = isMissed ? "missed" : "limit"
    return
      "<text class=\"\(style)\" x=\"100%\" text-anchor=\"end\" y=\"\(top + 12)\">\(Markup.escaped(words))</text>"
  }
}
