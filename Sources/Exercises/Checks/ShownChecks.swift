// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The text that the program hands in last. `{name}` stands for the name of the run's document, `{newName}` for the one in
/// the document that follows it, `{endings}` for the words of the run's endings, `{uneven}` for those of uneven ones, `{sum}`
/// for the sum of the bytes of its body. The program hands in nothing at all where the text is empty.
struct ResultCheck: CheckKind {
  static let (name, keys, isOutside) = ("result", Set(["equals"]), false)
  let text: String
  init(_ map: ManifestNode) throws(LessonKitError) { text = try map.find("equals")?.text() ?? "" }
  var title: Phrase { "the result" }
  var wanted: Phrase {
    switch text {
    case "": "nothing"
    case "{newName}": "the name from the server's new document"
    case "{endings}", "{uneven}": "the word for each ending, in the server's order"
    case "{sum}": "the sum of the bytes of the server's body"
    default: text.contains("{name}") ? "the name from the server's document" : "“\(text)”"
    }
  }

  func judge(_ facts: RunFacts) -> Judgement { facts.last(.result, is: text) }
}

/// All that the program hands in, in order and with spaces between, with the same words in braces.
struct ResultsCheck: CheckKind {
  static let (name, keys, isOutside) = ("results", Set(["equals"]), false)
  let text: String
  init(_ map: ManifestNode) throws(LessonKitError) { text = try map.text("equals") }
  var title: Phrase { "the results" }
  var wanted: Phrase {
    text.contains("{") ? "the names from the server's documents, each once it is known" : "“\(text)” alone"
  }

  func judge(_ facts: RunFacts) -> Judgement {
    let all = facts.shown(.result).map(\.text).joined(separator: " ")
    return all.isEmpty
      ? Judgement("nothing", false) : Judgement("“\(String(all.prefix(60)))”", all == facts.filled(text))
  }
}

/// The label's last text; the program sets each on the main thread, and none at all where the text is empty.
struct LabelCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("label", Set(["equals"]), false)
  let text: String
  init(_ map: ManifestNode) throws(LessonKitError) { text = try map.find("equals")?.text() ?? "" }
  var title: Phrase { "the label" }
  var wanted: Phrase {
    text.isEmpty
      ? "set by nobody"
      : text.contains("{name}")
        ? "the name from the server's document, set on the main thread" : "“\(text)”, set on the main thread"
  }

  func judge(_ facts: RunFacts) -> Judgement {
    if let wrong = facts.shown(.label).first(where: { !$0.thread.main }) {
      return Judgement("set on \(wrong.thread.words)", false)
    }
    return facts.last(.label, is: text)
  }

  func mark(_ facts: RunFacts) -> FigureMark { .shown(.label, inTouch: false) }
}

extension RunFacts {
  fileprivate func last(_ kind: ShownValue.Kind, is text: String) -> Judgement {
    guard let last = shown(kind).last else { return Judgement("nothing", text.isEmpty) }
    return Judgement("“\(String(last.text.prefix(60)))”", last.text == filled(text))
  }
}

/// The bar has so many values, rising from 0 to this part of 1, on the main thread. With a part below 1 the load was cut
/// there, and the bar may be behind it by half. Where a path is given, so many while a request for it is under way.
struct ProgressCheck: DrawnCheck {
  static let (name, isOutside) = ("progress", false)
  static let keys: Set = ["at_least", "at_most", "until", "during"]
  let (bound, end, path): (Bound, Double, String?)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (bound, end, path) = try (Bound(map), min(1, map.find("until")?.seconds() ?? 1), map.find("during")?.text())
  }
  var title: Phrase { "the bar" }
  var wanted: Phrase {
    switch (end, path, bound.least, bound.most) {
    case (0, _, _, _): "staying at 0"
    case (..<1, _, _, _): "rising to \(end) and no further, in steps: \(bound.words), on the main thread"
    case (_, _?, _, _): "rising from 0 to 1 in steps while it loads: \(bound.words), on the main thread"
    case (_, nil, 1?, nil): "rising from 0 to 1, on the main thread"
    case (_, nil, _, _): "rising from 0 to 1 in steps: \(bound.words), on the main thread"
    }
  }

  func judge(_ facts: RunFacts) -> Judgement {
    let shown = facts.shown(.progress)
    let values = shown.map { Double($0.text) ?? .nan }
    if let wrong = values.first(where: { !(0...1).contains($0) }) { return Judgement("it showed \(wrong)", false) }
    if let place = shown.first(where: { !$0.thread.main }) { return Judgement("moved on \(place.thread.words)", false) }
    if let fall = zip(values, values.dropFirst()).first(where: { $1 < $0 }) {
      return Judgement("it fell from \(fall.0.hundredths) to \(fall.1.hundredths)", false)
    }
    guard let last = values.last else { return Judgement("it did not move", end == 0) }
    let ends = end < 1 ? (end / 2...end).contains(last) : last == 1
    if let path {
      let stretches = facts.requests(path: path).map { $0.began...max($0.began, $0.ended ?? .infinity) }
      let during = Set(shown.filter { step in stretches.contains { $0.contains(step.instant) } }.map(\.text)).count
      return Judgement(
        "\(Phrase.count(during, "step")) during the load, the last one \(last.hundredths)",
        bound.contains(during) && ends)
    }
    let steps = Set(values).count
    return Judgement("\(Phrase.count(steps, "step")), the last one \(last.hundredths)", bound.contains(steps) && ends)
  }

  func mark(_ facts: RunFacts) -> FigureMark { .shown(.progress, inTouch: false) }
}

/// The bar moves so often, and by this part of 1, while the screen is touched and the main loop runs in the tracking mode.
struct TouchedCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("touched", Bound.keys.union(["rise"]), false)
  let (bound, rise): (Bound, Double)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (bound, rise) = try (Bound(map), map.find("rise")?.seconds() ?? 0)
  }
  var title: Phrase { "the bar during the touch" }
  var wanted: Phrase {
    rise > 0 ? "\(bound.words) moves, which raise it by \(rise.hundredths) together" : "\(bound.words) moves"
  }

  func judge(_ facts: RunFacts) -> Judgement {
    guard facts.touch != nil else { return Judgement("it was not touched", false) }
    let values = values(facts)
    guard rise > 0 else { return bound.judge(values.count) }
    let risen = (values.max() ?? 0) - (values.min() ?? 0)
    return Judgement(
      "\(values.count), by \(risen.hundredths) together",
      bound.contains(values.count) && risen >= rise)
  }

  private func values(_ facts: RunFacts) -> Set<Double> {
    let during = facts.shown(.progress).filter {
      $0.runLoopMode == RunLoop.Mode.tracking.rawValue && facts.touch?.contains($0.instant) == true
    }
    return Set(during.compactMap { Double($0.text) })
  }

  func mark(_ facts: RunFacts) -> FigureMark { .shown(.progress, inTouch: true) }
}

extension RunFacts {
  fileprivate var touch: Circumstances.Stretch? { run.result.happenings.touch?.counted }
}
