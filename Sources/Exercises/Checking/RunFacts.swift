// SPDX-License-Identifier: Apache-2.0
import LessonKit
import LessonServer

/// One run of a student's program in one case: what is known about it, and what was to come out of it.
struct RunFacts: Sendable {
  /// The run as the runner knows it.
  var run: ExampleRun
  /// The case's name.
  var caseID: String
  /// S, in bytes.
  var bodyBytes: Int
  /// The seed of the run's bodies, names and documents.
  var seed: UInt64
  /// How often files of its folder were opened for writing, nil where the kernel did not say.
  var opens: FolderWatch.Openings?

  /// The name in the run's document.
  var name: String { SeededDocument(seed: seed).name }

  /// The name in the document that follows it.
  var newName: String { SeededDocument(seed: seed &+ 1).name }

  /// The words for the run's endings, in the server's order.
  var endings: String { SeededEndings(seed: seed).order.map(\.rawValue).joined(separator: " ") }

  /// The same where the run's endings are uneven.
  var uneven: String { SeededEndings(seed: seed, isUneven: true).order.map(\.rawValue).joined(separator: " ") }

  /// The sum of the bytes of the run's body, each a number from 0 to 255.
  var sum: Int { SeededBody(seed: seed).bytes(0..<Int64(bodyBytes)).reduce(0) { $0 + Int($1) } }

  /// A manifest's text with what this run puts in place of `{name}`, `{newName}`, `{endings}`, `{uneven}` and `{sum}`.
  func filled(_ text: String) -> String {
    let text = text.replacing("{name}", with: name).replacing("{newName}", with: newName)
      .replacing("{endings}", with: endings).replacing("{uneven}", with: uneven)
    return text.contains("{sum}") ? text.replacing("{sum}", with: "\(sum)") : text
  }

  /// The checksum of the body that the server sends, as files are noted; of the one whose seed is greater by `number`.
  func checksum(beyond number: UInt64 = 0) -> String {
    let seed = seed &+ number
    let digits = String(SeededBody.checksum(seed: seed, size: Int64(bodyBytes)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the values of this kind that the program showed before it ended; later ones do not count.
  func shown(_ kind: ShownValue.Kind) -> [ShownValue] {
    run.recording.shown.filter { $0.kind == kind && $0.instant <= run.result.time.wall }
  }

  /// The first line of this text that the program printed.
  func line(_ text: String) -> PrintedLine? { run.recording.lines.first { $0.text == text } }

  /// The places of the callbacks that the delegate has.
  var places: [PlaceCount] { run.result.callbacks.filter(\.implemented).flatMap(\.places) }

  /// The requests of this path and method, where they are given.
  func requests(path: String? = nil, method: String? = nil) -> [RequestSeen] {
    run.requests.filter { $0.isMeant(path, method) }
  }

  /// True if the request carries the run's body.
  func hasBody(_ request: RequestSeen) -> Bool { request.bodyBytes == bodyBytes && request.bodyChecksum == checksum() }

  /// The mark of all requests in a column, with what is said of each: nil where nothing is.
  func mark(
    _ column: FigureMark.RequestColumn, wanted: String? = nil, _ holds: (RequestSeen) -> Bool? = { _ in nil }
  ) -> FigureMark {
    let verdicts = run.requests.map { request in
      let isRight = holds(request)
      return FigureMark.RequestVerdict(holds: isRight, wanted: isRight == nil ? nil : wanted)
    }
    return .requests(column, verdicts, missing: 0)
  }
}

extension RequestSeen {
  /// True if it is of this path and method, where they are given.
  func isMeant(_ path: String?, _ method: String? = nil) -> Bool {
    (path == nil || self.path == path) && (method == nil || self.method == method)
  }
}
