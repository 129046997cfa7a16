// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The subject of a check, with its bound.
enum CheckRule: Sendable, Hashable {
  /// The content that a file is compared with.
  enum Content: String, Sendable, Hashable {
    /// The server's body.
    case body
    /// The body that the server sends once its file has changed.
    case secondVersion
    /// The body after that one.
    case thirdVersion
  }

  /// How many of something there may be.
  struct Bound: Sendable, Hashable {
    var least: Int?
    var most: Int?

    func contains(_ number: Int) -> Bool { number >= least ?? .min && number <= most ?? .max }
  }

  /// Resident memory grows by at most so many bytes.
  case growth(atMost: Int)
  /// A file has this content.
  case file(String, Content)
  /// So many requests reach the server, of this path and method.
  case requests(Bound, path: String?, method: String?)
  /// Every request carries this header field; without a value, any.
  case header(String, String?)
  /// No request with this path carries this header field.
  case withoutHeader(String, path: String?)
  /// The requests come over so many connections.
  case sockets(Bound)
  /// The server sends at most so many bytes more than the body has.
  case sent(beyondBody: Int)
  /// So many files are opened for writing.
  case opens(Bound)
  /// The text that the program hands in. `{name}` stands for the name of the run's document, `{newName}` for the one in
  /// the document that follows it, `{endings}` for the words of the run's endings, `{sum}` for the sum of the bytes of
  /// its body.
  case result(String)
  /// All that the program hands in, in order and with spaces between, with the same words in braces.
  case results(String)
  /// The label's last text; the program sets each on the main thread, and none at all where the text is empty.
  case label(String)
  /// The bar has so many values, rising from 0 to this part of 1, on the main thread. With a part below 1 the load was cut
  /// there, and the bar may be behind it by half. Where a path is given, so many while a request for it is under way.
  case progress(Bound, until: Double, during: String?)
  /// The bar moves so often while the screen is touched and the main loop runs in the tracking mode.
  case touched(Bound)
  /// The main thread answers after so many seconds at most, and what it leaves unanswered is no more than twice that in all.
  case mainGap(atMost: Double)
  /// So many of the callbacks that the delegate has may come on the main thread.
  case callbacksOnMain(Bound)
  /// So many of the program's loads are started on the main thread, and one at least is started anywhere.
  case startsOnMain(Bound)
  /// So many loads are started, those among them that reach no server.
  case loads(Bound)
  /// This line is printed once the server's answer has begun.
  case printed(line: String)
  /// The program is over after so many seconds at most.
  case time(atMost: Double)
  /// So many threads more than before are there at the end.
  case threadsLeft(atMost: Int)
  /// The server received the body that the program was to send, in a request for this path.
  case received(path: String)
  /// The requests that the server noted keep to a rule.
  case traffic(TrafficRule)
  /// The files of the program's folder have at most so many bytes in the end, what the libraries keep in its home folder
  /// among them; with 0 the program leaves none of its own.
  case left(atMost: Int)
  /// So many callbacks come on threads that are neither the main one nor a queue's.
  case ownThreads(Bound)
  /// There are exactly so many files with names that begin so, each with the server's body, or with the one that the server
  /// sends for the number behind `prefix`.
  case files(prefix: String, count: Int, isNumbered: Bool = false)
  /// So many bytes more than before are resident at the end.
  case memoryLeft(atMost: Int)
  /// The callbacks that the delegate has come on so many threads.
  case callbackThreads(Bound)
  /// So many threads more than before are there at once.
  case threads(atMost: Int)
  /// The program uses so many seconds of processor time at most.
  case processor(atMost: Double)
  /// The thread that prints this line has ended, and was woken so often in its life. Without a line: so often all threads but
  /// the main one are woken together.
  case wakeups(line: String?, atMost: Int)

  /// True if it is seen from outside of the program: by the server, on the disk, by the kernel.
  var isOutside: Bool {
    switch self {
    case .growth, .file, .files, .left, .requests, .header, .withoutHeader, .sockets, .sent, .opens, .received,
      .traffic:
      true
    case .result, .results, .label, .progress, .touched, .mainGap, .callbacksOnMain, .ownThreads, .callbackThreads,
      .time,
      .threadsLeft, .threads, .memoryLeft, .processor, .wakeups, .startsOnMain, .loads, .printed:
      false
    }
  }

  private static let common: Set<String> = ["id", "points", "case", "with", "kind"]

  /// Reads a check's map.
  init(_ node: ManifestNode) throws(LessonKitError) {
    let kind = try node.need("kind")
    let name = try kind.text()
    guard let (keys, make) = Self.makers[name] else {
      throw kind.wrong("there is no kind of check “\(name)”")
    }
    try node.allowOnly(Self.common.union(keys))
    self = try make(node)
  }

  /// The kinds of checks that a manifest may name.
  static var kinds: [String] { makers.keys.sorted() }

  private typealias Maker = @Sendable (ManifestNode) throws(LessonKitError) -> CheckRule
  private static let makers: [String: (Set<String>, Maker)] = [
    "growth": (["at_most"], { node throws(LessonKitError) in .growth(atMost: try node.need("at_most").bytes()) }),
    "file": (["name", "content"], makeFile),
    "requests": (
      ["exactly", "at_least", "at_most", "path", "method"],
      { node throws(LessonKitError) in
        .requests(
          try bound(node), path: try node.find("path")?.text(), method: try node.find("method")?.text())
      }
    ),
    "header": (
      ["name", "value"],
      { node throws(LessonKitError) in .header(try node.need("name").text(), try node.find("value")?.text()) }
    ),
    "without_header": (
      ["name", "path"],
      { node throws(LessonKitError) in .withoutHeader(try node.need("name").text(), path: try node.find("path")?.text())
      }
    ),
    "sockets": (["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .sockets(try bound(node)) }),
    "sent": (
      ["beyond_body"], { node throws(LessonKitError) in .sent(beyondBody: try node.need("beyond_body").bytes()) }
    ),
    "opens": (["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .opens(try bound(node)) }),
    "result": (["equals"], { node throws(LessonKitError) in .result(try node.need("equals").text()) }),
    "results": (["equals"], { node throws(LessonKitError) in .results(try node.need("equals").text()) }),
    "label": (["equals"], { node throws(LessonKitError) in .label(try node.find("equals")?.text() ?? "") }),
    "progress": (
      ["at_least", "at_most", "until", "during"],
      { node throws(LessonKitError) in
        .progress(
          try bound(node), until: min(1, try node.find("until")?.seconds() ?? 1),
          during: try node.find("during")?.text())
      }
    ),
    "starts_on_main": (
      ["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .startsOnMain(try bound(node)) }
    ),
    "loads": (["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .loads(try bound(node)) }),
    "printed": (["line"], { node throws(LessonKitError) in .printed(line: try node.need("line").text()) }),
    "touched": (["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .touched(try bound(node)) }),
    "main_gap": (["at_most"], { node throws(LessonKitError) in .mainGap(atMost: try node.need("at_most").seconds()) }),
    "callbacks_on_main": (
      ["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .callbacksOnMain(try bound(node)) }
    ),
    "time": (["at_most"], { node throws(LessonKitError) in .time(atMost: try node.need("at_most").seconds()) }),
    "threads_left": (
      ["at_most"],
      { node throws(LessonKitError) in .threadsLeft(atMost: try node.need("at_most").number(in: 0...100)) }
    ),
    "received": (["path"], { node throws(LessonKitError) in .received(path: try node.need("path").text()) }),
    "answered": (TrafficRule.answeredKeys, { node throws(LessonKitError) in .traffic(try .answered(node)) }),
    "whole": (TrafficRule.wholeKeys, { node throws(LessonKitError) in .traffic(try .whole(node)) }),
    "lasting": (TrafficRule.lastingKeys, { node throws(LessonKitError) in .traffic(try .lasting(node)) }),
    "values": (TrafficRule.valuesKeys, { node throws(LessonKitError) in .traffic(try .values(node)) }),
    "left": (["at_most"], { node throws(LessonKitError) in .left(atMost: try node.need("at_most").bytes()) }),
    "own_threads": (
      ["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .ownThreads(try bound(node)) }
    ),
    "files": (
      ["prefix", "exactly", "content"],
      { node throws(LessonKitError) in
        let content = try node.find("content")?.text() ?? "body"
        guard ["body", "numbered"].contains(content) else { throw node.wrong("a content is body or numbered") }
        return .files(
          prefix: try node.need("prefix").text(), count: try node.need("exactly").number(in: 1...1000),
          isNumbered: content == "numbered")
      }
    ),
    "memory_left": (
      ["at_most"], { node throws(LessonKitError) in .memoryLeft(atMost: try node.need("at_most").bytes()) }
    ),
    "callback_threads": (
      ["exactly", "at_least", "at_most"], { node throws(LessonKitError) in .callbackThreads(try bound(node)) }
    ),
    "threads": (
      ["at_most"], { node throws(LessonKitError) in .threads(atMost: try node.need("at_most").number(in: 0...1000)) }
    ),
    "at_once": (TrafficRule.togetherKeys, { node throws(LessonKitError) in .traffic(try .together(node)) }),
    "largest": (TrafficRule.largestKeys, { node throws(LessonKitError) in .traffic(try .largest(node)) }),
    "over": (TrafficRule.overKeys, { node throws(LessonKitError) in .traffic(try .over(node)) }),
    "unspoken": (TrafficRule.unspokenKeys, { node throws(LessonKitError) in .traffic(try .unspoken(node)) }),
    "apart": (TrafficRule.apartKeys, { node throws(LessonKitError) in .traffic(try .apart(node)) }),
    "carried": (TrafficRule.carriedKeys, { node throws(LessonKitError) in .traffic(try .carried(node)) }),
    "sequence": (TrafficRule.sequenceKeys, { node throws(LessonKitError) in .traffic(try .sequence(node)) }),
    "processor": (
      ["at_most"], { node throws(LessonKitError) in .processor(atMost: try node.need("at_most").seconds()) }
    ),
    "wakeups": (
      ["line", "at_most"],
      { node throws(LessonKitError) in
        .wakeups(
          line: try node.find("line")?.text(), atMost: try node.need("at_most").number(in: 1...100_000))
      }
    ),
  ]

  private static let makeFile: Maker = { node throws(LessonKitError) in
    let content = try node.find("content")
    guard let known = Content(rawValue: try content?.text() ?? Content.body.rawValue) else {
      throw node.wrong("a content is body, secondVersion or thirdVersion")
    }
    return .file(try node.need("name").text(), known)
  }

  static func bound(_ node: ManifestNode) throws(LessonKitError) -> Bound {
    let exactly = try node.find("exactly")?.number(in: 0...100_000)
    let bound = Bound(
      least: try node.find("at_least")?.number(in: 0...100_000) ?? exactly,
      most: try node.find("at_most")?.number(in: 0...100_000) ?? exactly)
    guard bound.least != nil || bound.most != nil else {
      throw node.wrong("here belongs one of exactly, at_least and at_most")
    }
    return bound
  }
}
