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

  /// What is looked at.
  var title: Phrase {
    switch self {
    case .answered(_, let status, let path):
      if let path { "answers \(status) for \(path)" } else { "answers \(status)" }
    case .lasting(_, let path): "the longest request for \(path)"
    case .values(_, let field): "different values of the field “\(field)”"
    }
  }

  /// What is wanted.
  var wanted: Phrase {
    switch self {
    case .answered(let bound, _, _), .values(let bound, _): bound.words
    case .lasting(let least, _): "under way for at least \(least) s"
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
    case .lasting(let least, let path):
      let times = facts.requests(path: path).compactMap { request in request.ended.map { $0 - request.began } }
      guard let longest = times.max() else { return Judgement("no such request came to its end", false) }
      return Judgement("\(CheckRule.seconds(longest)) s", longest >= least)
    }
  }
}
