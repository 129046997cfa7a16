// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The subject of a check in the requests and answers that the server noted.
enum TrafficRule: Sendable, Hashable {
  /// So many answers have this status, of requests for this path where it is given.
  case answered(CheckRule.Bound, status: Int, path: String?)
  /// One request for this path is under way for so many seconds at least. A busy machine only makes it longer.
  case lasting(atLeast: Double, path: String)

  /// A header field has so many different values in all requests together.
  case values(CheckRule.Bound, field: String)

  /// So many requests for this path are under way at the same moment, at least.
  case together(atLeast: Int, path: String?)

  /// So many requests for this path are answered with as many bytes as the body has, at least.
  case whole(CheckRule.Bound, path: String?)

  static let wholeKeys: Set<String> = ["path", "exactly", "at_least", "at_most"]
  /// No answer for this path has more bytes than that, and one has as many as that.
  case largest(atLeast: Int?, atMost: Int?, path: String)

  /// Each request for this path is over before the last one for the other path is.
  case over(path: String, before: String)

  /// The requests carry these values of a header field in this order, each once the former has its answer. “none” stands for
  /// no field.
  case sequence(field: String, values: [String])

  /// No request for this path has one of these texts in its address or in a field.
  case unspoken(texts: [String], path: String)

  /// Between the end of a request for this path and the beginning of the next there are so many seconds, at least once.
  case apart(atLeast: Double, path: String)

  /// Each request of this method carries the body that the program was to send, whatever its answer.
  case carried(method: String)

  static let unspokenKeys: Set<String> = ["texts", "path"]
  static let apartKeys: Set<String> = ["at_least", "path"]
  static let carriedKeys: Set<String> = ["method"]
  static let largestKeys: Set<String> = ["path", "at_least", "at_most"]
  static let overKeys: Set<String> = ["path", "before"]
  static let sequenceKeys: Set<String> = ["name", "values"]
  static let togetherKeys: Set<String> = ["at_least", "path"]
  static let valuesKeys: Set<String> = ["name", "exactly", "at_least", "at_most"]
  static let answeredKeys: Set<String> = ["status", "path", "exactly", "at_least", "at_most"]
  static let lastingKeys: Set<String> = ["path", "at_least"]

  static func answered(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .answered(
      try CheckRule.bound(node), status: try node.need("status").number(in: 100...999),
      path: try node.find("path")?.text())
  }

  static func values(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .values(try CheckRule.bound(node), field: try node.need("name").text())
  }

  static func lasting(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .lasting(atLeast: try node.need("at_least").seconds(), path: try node.need("path").text())
  }

  static func together(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .together(atLeast: try node.need("at_least").number(in: 2...1000), path: try node.find("path")?.text())
  }

  static func whole(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .whole(try CheckRule.bound(node), path: try node.find("path")?.text())
  }

  static func largest(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    let (least, most) = (try node.find("at_least")?.bytes(), try node.find("at_most")?.bytes())
    guard least != nil || most != nil else { throw node.wrong("here belongs one of at_least and at_most") }
    return .largest(atLeast: least, atMost: most, path: try node.need("path").text())
  }

  static func over(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .over(path: try node.need("path").text(), before: try node.need("before").text())
  }

  static func sequence(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    var values: [String] = []
    for element in try node.need("values").elements() { values.append(try element.text()) }
    return .sequence(field: try node.need("name").text(), values: values)
  }

  static func unspoken(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    var texts: [String] = []
    for element in try node.need("texts").elements() { texts.append(try element.text()) }
    return .unspoken(texts: texts, path: try node.need("path").text())
  }

  static func apart(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .apart(atLeast: try node.need("at_least").seconds(), path: try node.need("path").text())
  }

  static func carried(_ node: ManifestNode) throws(LessonKitError) -> TrafficRule {
    .carried(method: try node.need("method").text())
  }

  /// The subject of the check.
  var title: Phrase {
    switch self {
    case .answered(_, let status, let path):
      if let path { "answers \(status) for \(path)" } else { "answers \(status)" }
    case .lasting(_, let path): "the longest request for \(path)"
    case .values(_, let field): "different values of the field “\(field)”"
    case .together: "requests under way at once"
    case .whole: "bodies that the server sent as a whole"
    case .largest(_, _, let path): "the largest answer for \(path)"
    case .over(let path, _): "the end of the request for \(path)"
    case .unspoken(_, let path): "what the request for \(path) says"
    case .apart(_, let path): "the time between two requests for \(path)"
    case .carried(let method): "the body of each \(method)"
    case .sequence(let field, _): "the field “\(field)”, request by request"
    }
  }

  /// The requirement of the check.
  var wanted: Phrase {
    switch self {
    case .answered(let bound, _, _), .values(let bound, _), .whole(let bound, _): bound.words
    case .lasting(let least, _): "under way for at least \(least) s"
    case .together(let least, _): "at least \(least)"
    case .largest(let least?, nil, _): "at least \(ByteWords.text(least))"
    case .largest(nil, let most?, _): "at most \(ByteWords.text(most))"
    case .largest(let least, let most, _): "\(ByteWords.text(least ?? 0)) to \(ByteWords.text(most ?? .max))"
    case .over(_, let path): "before the one for \(path) ends"
    case .unspoken: "nothing of the secret"
    case .apart(let least, _): "at least \(least) s"
    case .carried: "all bytes, the right ones, each time"
    case .sequence(_, let values): "\(values.count) requests in the wanted order, one after the other"
    }
  }

  /// Judges one run.
  func judge(_ facts: RunFacts) -> Judgement {
    switch self {
    case .answered(let bound, let status, let path):
      let count = facts.requests(path: path).count { $0.status == status }
      return Judgement("\(count)", bound.contains(count))
    case .values(let bound, let field):
      let count = Set(facts.requests().compactMap { $0.fields[field.lowercased()] }).count
      return Judgement("\(count)", bound.contains(count))
    case .together(let least, let path):
      let most = Self.mostAtOnce(facts.requests(path: path))
      return Judgement("\(most)", most >= least)
    case .whole(let bound, let path):
      let count = facts.requests(path: path).count { $0.bytesSent >= facts.bodyBytes }
      return Judgement("\(count)", bound.contains(count))
    case .largest(let least, let most, let path):
      let largest = facts.requests(path: path).map(\.bytesSent).max() ?? 0
      return Judgement("\(ByteWords.text(largest))", largest >= least ?? 0 && largest <= most ?? .max)
    case .over(let path, let other): return Self.over(facts.requests(path: path), before: facts.requests(path: other))
    case .unspoken(let texts, let path):
      let all = facts.requests(path: path).flatMap { [$0.target] + $0.fields.values }
      let isSaid = all.contains { said in texts.contains { said.contains($0) } }
      return Judgement(isSaid ? "the secret is in it" : "nothing of the secret", !isSaid)
    case .apart(let least, let path):
      let requests = facts.requests(path: path).sorted { $0.began < $1.began }
      let gaps = zip(requests, requests.dropFirst()).compactMap { former, next in former.ended.map { next.began - $0 } }
      guard let widest = gaps.max() else { return Judgement("there were no two requests", false) }
      return Judgement("\(CheckRule.seconds(max(0, widest))) s", widest >= least)
    case .carried(let method):
      let requests = facts.requests(method: method)
      let right = requests.count { $0.bodyBytes == facts.bodyBytes && $0.bodyChecksum == facts.checksum(of: .body) }
      return Judgement(
        "in \(right) of \(Phrase.count(requests.count, "request"))", right == requests.count && right > 0)
    case .sequence(let field, let values): return Self.sequence(field, values, facts.requests())
    case .lasting(let least, let path):
      let times = facts.requests(path: path).compactMap { request in request.ended.map { $0 - request.began } }
      guard let longest = times.max() else { return Judgement("no such request came to its end", false) }
      return Judgement("\(CheckRule.seconds(longest)) s", longest >= least)
    }
  }

  /// The most of these requests that the server had before it at one moment. One without an end lasts to the last moment.
  private static func mostAtOnce(_ requests: [RequestSeen]) -> Int {
    requests.map { moment in
      requests.count { $0.began <= moment.began && moment.began < $0.ended ?? .infinity }
    }.max() ?? 0
  }

  private static func over(_ first: [RequestSeen], before others: [RequestSeen]) -> Judgement {
    guard !first.isEmpty else { return Judgement("there was no such request", false) }
    guard let last = others.compactMap(\.ended).max() else {
      return Judgement("no request for the other came to its end", false)
    }
    let late = first.count { ($0.ended ?? .infinity) >= last }
    return Judgement("\(late) of \(Phrase.count(first.count, "request")) later" as Phrase, late == 0)
  }

  private static func sequence(_ field: String, _ values: [String], _ requests: [RequestSeen]) -> Judgement {
    let requests = requests.sorted { $0.began < $1.began }
    let seen = requests.map { $0.fields[field.lowercased()] ?? "none" }
    if seen.count != values.count { return Judgement("\(Phrase.count(seen.count, "request"))", false) }
    if let wrong = zip(seen, values).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
      return Judgement("request \(wrong.offset + 1) carries another value", false)
    }
    // The server notes an answer a moment after it is sent, when the next request may be there already: half the time counts.
    let hurried = zip(requests, requests.dropFirst()).contains { former, next in
      (former.began + (former.answered ?? former.ended ?? .infinity)) / 2 > next.began
    }
    return hurried
      ? Judgement("a request did not wait for the answer to the one before", false)
      : Judgement("\(values.count) in the wanted order", true)
  }
}
