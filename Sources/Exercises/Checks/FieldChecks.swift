// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A check that looks at one header field of requests.
protocol FieldCheck: DrawnCheck {
  /// The field's name, in whatever case.
  var field: String { get }
}

extension FieldCheck {
  fileprivate var column: FigureMark.RequestColumn { .field(field.lowercased()) }
  fileprivate func value(in request: RequestSeen) -> String? { request.fields[field.lowercased()] }
}

/// Every request carries this header field; without a value, any.
struct HeaderCheck: FieldCheck {
  static let (name, keys, isOutside) = ("header", Set(["name", "value"]), true)
  let (field, value): (String, String?)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (field, value) = try (map.text("name"), map.find("value")?.text())
  }
  var title: Phrase { "the field “\(field)” of each request" }
  var wanted: Phrase { if let value { "“\(value)” each time" } else { "there each time" } }

  func judge(_ facts: RunFacts) -> Judgement { Judgement(each: facts.run.requests, isRight) }
  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(column, wanted: value, isRight) }

  private func isRight(_ request: RequestSeen) -> Bool {
    let seen = value(in: request)
    return value == nil ? seen != nil : seen == value
  }
}

/// No request with this path carries this header field.
struct WithoutHeaderCheck: FieldCheck {
  static let (name, keys, isOutside) = ("without_header", Set(["name", "path"]), true)
  let (field, path): (String, String?)
  init(_ map: ManifestNode) throws(LessonKitError) { (field, path) = try (map.text("name"), map.find("path")?.text()) }
  var title: Phrase {
    if let path { "the field “\(field)” of requests for \(path)" } else { "the field “\(field)”" }
  }
  var wanted: Phrase { "in no request" }

  func judge(_ facts: RunFacts) -> Judgement {
    Judgement(count: facts.requests(path: path).count { value(in: $0) != nil }, atMost: 0)
  }

  func mark(_ facts: RunFacts) -> FigureMark {
    facts.mark(column) { $0.isMeant(path) ? value(in: $0) == nil : nil }
  }
}

/// A header field has so many different values in all requests together.
struct ValuesCheck: FieldCheck, CountedCheck {
  static let (name, keys, isOutside) = ("values", Bound.keys.union(["name"]), true)
  let (bound, field): (Bound, String)
  init(_ map: ManifestNode) throws(LessonKitError) { (bound, field) = try (Bound(map), map.text("name")) }
  var title: Phrase { "different values of the field “\(field)”" }
  func count(_ facts: RunFacts) -> Int { Set(facts.run.requests.compactMap(value)).count }
  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(column) }
}

/// The requests carry these values of a header field in this order, each once the former has its answer. “none” stands for
/// no field.
struct SequenceCheck: FieldCheck {
  static let (name, keys, isOutside) = ("sequence", Set(["name", "values"]), true)
  let (field, values): (String, [String])
  init(_ map: ManifestNode) throws(LessonKitError) { (values, field) = try (map.list("values"), map.text("name")) }
  var title: Phrase { "the field “\(field)”, request by request" }
  var wanted: Phrase { "\(values.count) requests in the wanted order, one after the other" }

  func judge(_ facts: RunFacts) -> Judgement {
    let requests = facts.run.requests.sorted { $0.began < $1.began }
    let seen = requests.map { value(in: $0) ?? "none" }
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

  func mark(_ facts: RunFacts) -> FigureMark {
    let all = facts.run.requests
    var verdicts = all.map { _ in FigureMark.RequestVerdict(holds: false) }
    let order = all.indices.sorted { all[$0].began < all[$1].began }
    for (index, wanted) in zip(order, values) {
      verdicts[index] = FigureMark.RequestVerdict(holds: value(in: all[index]) ?? "none" == wanted, wanted: wanted)
    }
    return .requests(column, verdicts, missing: max(0, values.count - all.count))
  }
}

/// No request for this path has one of these texts in its address or in a field.
struct UnspokenCheck: FieldCheck {
  static let (name, keys, isOutside) = ("unspoken", Set(["texts", "path"]), true)
  let (texts, path): ([String], String)
  /// The field in which a secret is sent as a rule.
  var field: String { "authorization" }
  init(_ map: ManifestNode) throws(LessonKitError) { (texts, path) = try (map.list("texts"), map.text("path")) }
  var title: Phrase { "what the request for \(path) says" }
  var wanted: Phrase { "nothing of the secret" }

  func judge(_ facts: RunFacts) -> Judgement {
    let isKept = facts.requests(path: path).allSatisfy(isSilent)
    return Judgement(isKept ? "nothing of the secret" : "the secret is in it", isKept)
  }

  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(column) { $0.isMeant(path) ? isSilent($0) : nil } }

  private func isSilent(_ request: RequestSeen) -> Bool {
    !([request.target] + request.fields.values).contains { said in texts.contains(where: said.contains) }
  }
}
