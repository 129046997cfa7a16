// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The head of a request as it was sent, and that of its answer, without the values that nobody else may read.
struct RequestHeads: Hashable {
  /// The fields of the request, each a line.
  let fields: [String]
  /// The status line of the answer and its fields; empty where none was sent, and where a former version kept none.
  let answer: [String]
  private let request: String

  /// The heads of a request. A former version kept its fields without their order.
  init(_ request: RequestSeen) {
    let lines = request.fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    fields = (request.fieldLines ?? lines).map(RequestSeen.withoutSecret)
    answer = (request.answerLines ?? []).map(RequestSeen.withoutSecret)
    // Requests for different addresses may have the same heads else.
    self.request = "\(request.method) \(request.version)"
  }

  /// The lines as curl marks them: `>` before those that were sent, `<` before those that came back; none without heads.
  func lines(of request: RequestSeen, _ say: StringCatalogue) -> [String] {
    guard !isEmpty else { return [] }
    let sent = ["\(request.method) \(request.target) \(request.version)"] + fields
    let hidden = ": \(RequestSeen.hidden)"
    return (sent.map { "> \($0)" } + answer.map { "< \($0)" }).map { line in
      line.hasSuffix(hidden) ? line.dropLast(hidden.count) + ": \(say("(hidden)" as Phrase))" : line
    }
  }

  /// True if no field was kept, as in the run of an exercise.
  private var isEmpty: Bool { fields.isEmpty && answer.isEmpty }

  /// For each of these requests the number of the first one with the same heads; nil for that one itself, and without heads.
  static func firstAlike(_ requests: [RequestSeen]) -> [Int?] {
    var known: [RequestHeads: Int] = [:]
    return requests.enumerated().map { number, request in
      let heads = RequestHeads(request)
      guard !heads.isEmpty else { return nil }
      if let first = known[heads] { return first }
      known[heads] = number
      return nil
    }
  }
}
