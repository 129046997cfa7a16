// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// So many threads more than before are there at once.
struct ThreadsCheck: CheckKind {
  static let (name, keys, isOutside) = ("threads", Set(["at_most"]), false)
  let most: Int
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.number("at_most", in: 0...1000) }
  var title: Phrase { "threads" }
  var wanted: Phrase { "at most \(most) more than before" }

  func judge(_ facts: RunFacts) -> Judgement {
    let threads = facts.run.result.threads
    let more = max(0, threads.peak - threads.before)
    return Judgement("\(more) more than before", more <= most)
  }
}

/// So many threads more than before are there at the end.
struct ThreadsLeftCheck: CheckKind {
  static let (name, keys, isOutside) = ("threads_left", Set(["at_most"]), false)
  let most: Int
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.number("at_most", in: 0...100) }
  var title: Phrase { "threads left" }
  var wanted: Phrase { "at most \(most)" }

  func judge(_ facts: RunFacts) -> Judgement {
    let threads = facts.run.result.threads
    let left = max(0, threads.after - threads.before)
    return Judgement("\(left)", left <= most)
  }
}

/// So many callbacks come on threads that are neither the main one nor a queue's.
struct OwnThreadsCheck: BoundCheck, DrawnCheck {
  static let (name, isOutside) = ("own_threads", false)
  let bound: Bound
  var title: Phrase { "callbacks on threads of the program's own" }

  func count(_ facts: RunFacts) -> Int {
    facts.places.reduce(0) { $1.thread.main || $1.queue != nil ? $0 : $0 + $1.count }
  }

  func mark(_ facts: RunFacts) -> FigureMark { .callbacks(.own, least: bound.least, most: bound.most) }
}

/// The callbacks that the delegate has come on so many threads.
struct CallbackThreadsCheck: BoundCheck, DrawnCheck {
  static let (name, isOutside) = ("callback_threads", false)
  let bound: Bound
  var title: Phrase { "threads that callbacks come on" }
  func count(_ facts: RunFacts) -> Int { Set(facts.places.map(\.thread.id)).count }
  func mark(_ facts: RunFacts) -> FigureMark { .callbacks(.threads, least: bound.least, most: bound.most) }
}

/// The thread that prints this line has ended, and was woken so often in its life. Without a line: so often all threads but
/// the main one are woken together.
struct WakeupsCheck: CheckKind {
  static let (name, keys, isOutside) = ("wakeups", Set(["line", "at_most"]), false)
  let line: String?
  let most: Int
  init(_ map: ManifestNode) throws(LessonKitError) {
    (line, most) = try (map.find("line")?.text(), map.number("at_most", in: 1...100_000))
  }
  var title: Phrase {
    if let line { "wake-ups of the thread that prints “\(line)”" } else { "wake-ups of all threads but the main one" }
  }
  var wanted: Phrase { line == nil ? "at most \(most)" : "at most \(most) until its end" }

  func judge(_ facts: RunFacts) -> Judgement {
    let recording = facts.run.recording
    guard let line else { return Judgement(count: recording.otherWakeups, atMost: most) }
    guard let printed = facts.line(line) else { return .notPrinted }
    guard let end = recording.threadEnds[printed.thread.id] else {
      return Judgement("\(printed.thread.words) has not ended", false)
    }
    return Judgement(count: end.wakeups, atMost: most)
  }
}

/// The main thread answers after so many seconds at most, and what it leaves unanswered is no more than twice that in all.
struct MainGapCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("main_gap", Set(["at_most"]), false)
  let most: Double
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.seconds("at_most") }
  var title: Phrase { "the main thread" }
  var wanted: Phrase { "never busy for more than \(most) s, nor for \(2 * most) s in all" }

  /// Many short pauses keep a person waiting as one long one does.
  func judge(_ facts: RunFacts) -> Judgement {
    let main = facts.run.result.mainThread
    guard main.longestGap <= most else { return Judgement("\(main.longestGap.hundredths) s", false) }
    let all = main.gaps.reduce(0) { $0 + $1.ended - $1.began }
    return Judgement("\(main.longestGap.hundredths) s, in all \(all.hundredths) s" as Phrase, all <= 2 * most)
  }

  func mark(_ facts: RunFacts) -> FigureMark { .silence(atMost: most) }
}

/// So many of the callbacks that the delegate has may come on the main thread.
struct CallbacksOnMainCheck: BoundCheck, DrawnCheck {
  static let (name, isOutside) = ("callbacks_on_main", false)
  let bound: Bound
  var title: Phrase { "callbacks on the main thread" }
  func count(_ facts: RunFacts) -> Int { facts.places.reduce(0) { $1.thread.main ? $0 + $1.count : $0 } }
  func mark(_ facts: RunFacts) -> FigureMark { .callbacks(.main, least: bound.least, most: bound.most) }
}

/// So many of the program's loads are started on the main thread, and one at least is started anywhere.
struct StartsOnMainCheck: BoundCheck {
  static let (name, isOutside) = ("starts_on_main", false)
  let bound: Bound
  var title: Phrase { "loads that the main thread starts" }
  func count(_ facts: RunFacts) -> Int { facts.run.recording.loads.count(where: \.origin.main) }
  func judge(_ facts: RunFacts) -> Judgement { facts.run.recording.loads.isEmpty ? .noLoad : bound.judge(count(facts)) }
}

/// The main thread is woken so often at most, without the beats that the instruments ask of it.
struct MainWakeupsCheck: CheckKind {
  static let (name, keys, isOutside) = ("main_wakeups", Set(["at_most"]), false)
  let most: Int
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.number("at_most", in: 1...100_000) }
  var title: Phrase { "wake-ups of the main thread" }
  var wanted: Phrase { "at most \(most)" }
  func judge(_ facts: RunFacts) -> Judgement { Judgement(count: facts.run.recording.mainWakeups, atMost: most) }
}
