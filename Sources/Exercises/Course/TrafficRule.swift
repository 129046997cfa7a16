// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// What a check looks at in the requests and answers that the server noted.
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

  /// What is looked at.
  var title: Phrase {
    switch self {
    case .answered(_, let status, let path):
      if let path { "answers \(status) for \(path)" } else { "answers \(status)" }
    case .lasting(_, let path): "the longest request for \(path)"
    case .values(_, let field): "different values of the field “\(field)”"
    case .together: "requests under way at once"
    case .whole: "bodies that the server sent as a whole"
    }
  }

  /// What is wanted.
  var wanted: Phrase {
    switch self {
    case .answered(let bound, _, _), .values(let bound, _), .whole(let bound, _): bound.words
    case .lasting(let least, _): "under way for at least \(least) s"
    case .together(let least, _): "at least \(least)"
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
}
