// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// So many loads are started, those among them that reach no server.
struct LoadsCheck: BoundCheck {
  static let (name, isOutside) = ("loads", false)
  let bound: Bound
  var title: Phrase { "loads" }
  func count(_ facts: RunFacts) -> Int { facts.run.recording.loads.count }
}

/// A server answers so many loads of this API at least, as the library's own events tell. Requests by other means are none.
struct APICheck: CheckKind {
  static let (name, keys, isOutside) = ("api", Set(["side", "at_least"]), false)
  /// nil for either.
  private let side: Side?
  private let least: Int
  init(_ map: ManifestNode) throws(LessonKitError) {
    let named = try map.need("side")
    let name = try named.text()
    side = Side(rawValue: name)
    guard name == "any" || side == .connection || side == .session else {
      throw named.wrong("a side is connection, session or any")
    }
    least = try map.find("at_least")?.number(in: 1...100_000) ?? 1
  }
  var title: Phrase {
    switch side {
    case .connection: "loads by NSURLConnection that a server answers"
    case .session: "loads by URLSession that a server answers"
    case .foundation, nil: "loads by NSURLConnection or URLSession that a server answers"
    }
  }
  var wanted: Phrase { "at least \(least)" }

  func judge(_ facts: RunFacts) -> Judgement {
    let count = facts.run.recording.loads.count { load in
      load.side != nil && (side == nil || load.side == side) && load.instant(of: "headReceived") != nil
    }
    return Judgement("\(count)", count >= least)
  }
}

/// This line is printed once the server's answer has begun.
struct PrintedCheck: CheckKind {
  static let (name, keys, isOutside) = ("printed", Set(["line"]), false)
  let line: String
  init(_ map: ManifestNode) throws(LessonKitError) { line = try map.text("line") }
  var title: Phrase { "when “\(line)” is printed" }
  var wanted: Phrase { "after the server's answer" }

  func judge(_ facts: RunFacts) -> Judgement {
    guard let line = facts.line(line) else { return .notPrinted }
    guard let answer = facts.run.requests.compactMap(\.answered).max() else {
      return Judgement("the server did not answer", false)
    }
    return line.instant >= answer
      ? Judgement("after the answer", true)
      : Judgement("\((answer - line.instant).hundredths) s before the answer", false)
  }
}

/// This line is printed so many seconds after the end of the last load at most, and not before that end.
struct GoesOnCheck: CheckKind {
  static let (name, keys, isOutside) = ("goes_on", Set(["line", "at_most"]), false)
  let line: String
  let most: Double
  init(_ map: ManifestNode) throws(LessonKitError) { (line, most) = try (map.text("line"), map.seconds("at_most")) }
  var title: Phrase { "when “\(line)” is printed" }
  var wanted: Phrase { "at most \(most) s after the end of the last load" }

  func judge(_ facts: RunFacts) -> Judgement {
    guard let line = facts.line(line) else { return .notPrinted }
    guard !facts.run.recording.loads.isEmpty else { return .noLoad }
    guard let end = lastEnd(facts) else { return Judgement("a load did not come to its end", false) }
    let delay = line.instant - end
    return delay >= 0
      ? Judgement("\(delay.hundredths) s after the end", delay <= most)
      : Judgement("\((-delay).hundredths) s before the end", false)
  }

  /// The end of the last load: as it was told, or cancelled; of one that nobody was told of, the end of the server's last answer.
  private func lastEnd(_ facts: RunFacts) -> Double? {
    let loads = facts.run.recording.loads
    let told = loads.compactMap { $0.endInstant ?? $0.cancelled }
    if told.count == loads.count { return told.max() }
    let served = facts.run.requests.compactMap(\.ended)
    return served.count == facts.run.requests.count ? (told + served).max() : nil
  }
}
