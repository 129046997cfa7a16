// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A check that counts requests.
protocol RequestCountCheck: CountedCheck, DrawnCheck {
  static var column: FigureMark.RequestColumn { get }
  func isCounted(_ request: RequestSeen, _ facts: RunFacts) -> Bool
}

extension RequestCountCheck {
  func count(_ facts: RunFacts) -> Int { facts.run.requests.count { isCounted($0, facts) } }

  /// Those beyond the bound do not hold, and those that are missing are counted.
  func mark(_ facts: RunFacts) -> FigureMark {
    var count = 0
    let verdicts = facts.run.requests.map { request in
      guard isCounted(request, facts) else { return FigureMark.RequestVerdict(holds: nil) }
      count += 1
      return FigureMark.RequestVerdict(holds: count <= bound.most ?? .max)
    }
    return .requests(Self.column, verdicts, missing: max(0, (bound.least ?? 0) - count))
  }
}

/// So many requests reach the server, of this path and method.
struct RequestsCheck: RequestCountCheck {
  static let (name, keys, isOutside) = ("requests", Bound.keys.union(["path", "method"]), true)
  static let column = FigureMark.RequestColumn.status
  let (bound, path, method): (Bound, String?, String?)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (bound, path, method) = try (Bound(map), map.find("path")?.text(), map.find("method")?.text())
  }
  var title: Phrase { if let path { "requests for \(path)" } else { "requests" } }
  func isCounted(_ request: RequestSeen, _ facts: RunFacts) -> Bool { request.isMeant(path, method) }
}

/// So many answers have this status, of requests for this path where it is given.
struct AnsweredCheck: RequestCountCheck {
  static let (name, keys, isOutside) = ("answered", Bound.keys.union(["status", "path"]), true)
  static let column = FigureMark.RequestColumn.status
  let (bound, status, path): (Bound, Int, String?)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (bound, status, path) = try (Bound(map), map.number("status", in: 100...999), map.find("path")?.text())
  }
  var title: Phrase { if let path { "answers \(status) for \(path)" } else { "answers \(status)" } }

  func isCounted(_ request: RequestSeen, _ facts: RunFacts) -> Bool {
    request.isMeant(path) && request.status == status
  }
}

/// So many requests for this path are answered with as many bytes as the body has, at least.
struct WholeCheck: RequestCountCheck {
  static let (name, keys, isOutside) = ("whole", Bound.keys.union(["path"]), true)
  static let column = FigureMark.RequestColumn.sent
  let (bound, path): (Bound, String?)
  init(_ map: ManifestNode) throws(LessonKitError) { (bound, path) = try (Bound(map), map.find("path")?.text()) }
  var title: Phrase { "bodies that the server sent as a whole" }

  func isCounted(_ request: RequestSeen, _ facts: RunFacts) -> Bool {
    request.isMeant(path) && request.bytesSent >= facts.bodyBytes
  }
}

/// The requests come over so many connections.
struct SocketsCheck: BoundCheck, DrawnCheck {
  static let (name, isOutside) = ("sockets", true)
  let bound: Bound
  var title: Phrase { "connections" }
  func count(_ facts: RunFacts) -> Int { facts.run.result.traffic.sockets }

  /// Requests over connections beyond those that are allowed do not hold.
  func mark(_ facts: RunFacts) -> FigureMark {
    var known: [Int] = []
    return facts.mark(.socket) { request in
      if !known.contains(request.socket) { known.append(request.socket) }
      return known.firstIndex(of: request.socket) ?? 0 < bound.most ?? .max
    }
  }
}

/// The server sends at most so many bytes more than the body has.
struct SentCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("sent", Set(["beyond_body"]), true)
  let more: Int
  init(_ map: ManifestNode) throws(LessonKitError) { more = try map.bytes("beyond_body") }
  var title: Phrase { "bytes that the server sent" }
  var wanted: Phrase { "at most the body and \(ByteWords.text(more))" }

  func judge(_ facts: RunFacts) -> Judgement {
    Judgement(bytes: facts.run.result.traffic.bytesSent, atMost: facts.bodyBytes + more)
  }

  func mark(_ facts: RunFacts) -> FigureMark { facts.mark(.sent) }
}

/// No answer for this path has more bytes than that, and one has as many as that.
struct LargestCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("largest", Set(["path", "at_least", "at_most"]), true)
  let (least, most, path): (Int?, Int?, String)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (least, most) = try (map.find("at_least")?.bytes(), map.find("at_most")?.bytes())
    guard least != nil || most != nil else { throw map.wrong("here belongs one of at_least and at_most") }
    path = try map.text("path")
  }
  var title: Phrase { "the largest answer for \(path)" }
  var wanted: Phrase {
    switch (least, most) {
    case (let least?, nil): "at least \(ByteWords.text(least))"
    case (nil, let most?): "at most \(ByteWords.text(most))"
    case (let least, let most): "\(ByteWords.text(least ?? 0)) to \(ByteWords.text(most ?? .max))"
    }
  }

  func judge(_ facts: RunFacts) -> Judgement {
    let largest = facts.requests(path: path).map(\.bytesSent).max() ?? 0
    return Judgement("\(ByteWords.text(largest))", largest >= least ?? 0 && largest <= most ?? .max)
  }

  func mark(_ facts: RunFacts) -> FigureMark {
    facts.mark(.sent) { $0.isMeant(path) ? $0.bytesSent <= most ?? .max : nil }
  }
}

/// The server received the body that the program was to send, in a request for this path.
struct ReceivedCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("received", Set(["path"]), true)
  let path: String
  init(_ map: ManifestNode) throws(LessonKitError) { path = try map.text("path") }
  var title: Phrase { "the body sent to \(path)" }
  var wanted: Phrase { "all bytes, the right ones" }

  func judge(_ facts: RunFacts) -> Judgement {
    guard let last = facts.run.requests.last(where: isAccepted) else {
      return Judgement("no request that was answered with 2xx", false)
    }
    let isRight = facts.hasBody(last)
    return Judgement("\(last.bodyBytes) bytes, \(isRight ? "the right ones" : "other ones")" as Phrase, isRight)
  }

  func mark(_ facts: RunFacts) -> FigureMark {
    facts.mark(.received, wanted: "\(facts.bodyBytes)") { isAccepted($0) ? facts.hasBody($0) : nil }
  }

  private func isAccepted(_ request: RequestSeen) -> Bool {
    request.isMeant(path) && (200..<300).contains(request.status ?? 0)
  }
}

/// Each request of this method carries the body that the program was to send, whatever its answer.
struct CarriedCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("carried", Set(["method"]), true)
  let method: String
  init(_ map: ManifestNode) throws(LessonKitError) { method = try map.text("method") }
  var title: Phrase { "the body of each \(method)" }
  var wanted: Phrase { "all bytes, the right ones, each time" }

  func judge(_ facts: RunFacts) -> Judgement { Judgement(each: facts.requests(method: method), facts.hasBody) }

  func mark(_ facts: RunFacts) -> FigureMark {
    facts.mark(.received, wanted: "\(facts.bodyBytes)") { $0.isMeant(nil, method) ? facts.hasBody($0) : nil }
  }
}
