// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// So many requests for this path are under way at the same moment, at least.
struct AtOnceCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("at_once", Set(["at_least", "path"]), true)
  let (least, path): (Int, String?)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (least, path) = try (map.number("at_least", in: 2...1000), map.find("path")?.text())
  }
  var title: Phrase { "requests under way at once" }
  var wanted: Phrase { "at least \(least)" }

  /// A request without an end lasts to the last moment.
  func judge(_ facts: RunFacts) -> Judgement {
    let requests = facts.requests(path: path)
    let most = requests.map { moment in
      requests.count { $0.began <= moment.began && moment.began < $0.ended ?? .infinity }
    }.max()
    return Judgement("\(most ?? 0)", most ?? 0 >= least)
  }

  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(.duration) }
}

/// One request for this path is under way for so many seconds at least. A busy machine only makes it longer.
struct LastingCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("lasting", Set(["path", "at_least"]), true)
  let (least, path): (Double, String)
  init(_ map: ManifestNode) throws(LessonKitError) { (least, path) = try (map.seconds("at_least"), map.text("path")) }
  var title: Phrase { "the longest request for \(path)" }
  var wanted: Phrase { "under way for at least \(least) s" }

  func judge(_ facts: RunFacts) -> Judgement {
    let times = facts.requests(path: path).compactMap { request in request.ended.map { $0 - request.began } }
    guard let longest = times.max() else { return Judgement("no such request came to its end", false) }
    return Judgement("\(longest.hundredths) s", longest >= least)
  }

  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(.duration) }
}

/// Each request for this path is over before the last one for the other path is.
struct OverCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("over", Set(["path", "before"]), true)
  let (path, other): (String, String)
  init(_ map: ManifestNode) throws(LessonKitError) { (path, other) = try (map.text("path"), map.text("before")) }
  var title: Phrase { "the end of the request for \(path)" }
  var wanted: Phrase { "before the one for \(other) ends" }

  func judge(_ facts: RunFacts) -> Judgement {
    let first = facts.requests(path: path)
    guard !first.isEmpty else { return Judgement("there was no such request", false) }
    guard let last = lastEnd(facts) else { return Judgement("no request for the other came to its end", false) }
    let late = first.count { ($0.ended ?? .infinity) >= last }
    return Judgement("\(late) of \(Phrase.count(first.count, "request")) later" as Phrase, late == 0)
  }

  func mark(_ facts: RunFacts) -> FigureMark {
    let last = lastEnd(facts)
    return facts.mark(.duration) { request in
      request.isMeant(path) ? last.map { (request.ended ?? .infinity) < $0 } : nil
    }
  }

  private func lastEnd(_ facts: RunFacts) -> Double? { facts.requests(path: other).compactMap(\.ended).max() }
}

/// Between the end of a request for this path and the beginning of the next there are so many seconds, at least once.
struct ApartCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("apart", Set(["at_least", "path"]), true)
  let (least, path): (Double, String)
  init(_ map: ManifestNode) throws(LessonKitError) { (least, path) = try (map.seconds("at_least"), map.text("path")) }
  var title: Phrase { "the time between two requests for \(path)" }
  var wanted: Phrase { "at least \(least) s" }

  func judge(_ facts: RunFacts) -> Judgement {
    let requests = facts.requests(path: path).sorted { $0.began < $1.began }
    let gaps = zip(requests, requests.dropFirst()).compactMap { former, next in former.ended.map { next.began - $0 } }
    guard let widest = gaps.max() else { return Judgement("there were no two requests", false) }
    return Judgement("\(max(0, widest).hundredths) s", widest >= least)
  }

  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(.duration) }
}
