// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension CheckRule {
  /// The subject of the check.
  var title: Phrase {
    switch self {
    case .growth: "memory"
    case .file(let name, _): "the file “\(name)”"
    case .requests(_, let path, _):
      if let path { "requests for \(path)" } else { "requests" }
    case .header(let name, _): "the field “\(name)” of each request"
    case .withoutHeader(let name, let path):
      if let path { "the field “\(name)” of requests for \(path)" } else { "the field “\(name)”" }
    case .sockets: "connections"
    case .sent: "bytes that the server sent"
    case .opens: "openings of files for writing"
    case .result: "the result"
    case .results: "the results"
    case .label: "the label"
    case .progress: "the bar"
    case .touched: "the bar during the touch"
    case .mainGap: "the main thread"
    case .callbacksOnMain: "callbacks on the main thread"
    case .time: "the time"
    case .threadsLeft: "threads left"
    case .received(let path): "the body sent to \(path)"
    case .traffic(let rule): rule.title
    case .left: "files left in the folder"
    case .ownThreads: "callbacks on threads of the program's own"
    case .files(let prefix, _, _): "the files “\(prefix)…”"
    case .memoryLeft: "memory at the end"
    case .callbackThreads: "threads that callbacks come on"
    case .threads: "threads"
    case .processor: "processor time"
    case .startsOnMain: "loads that the main thread starts"
    case .loads: "loads"
    case .printed(let line): "when “\(line)” is printed"
    case .wakeups(let line?, _): "wake-ups of the thread that prints “\(line)”"
    case .wakeups(nil, _): "wake-ups of all threads but the main one"
    }
  }

  /// The requirement of the check, in words that do not depend on a run's seed.
  var wanted: Phrase {
    switch self {
    case .growth(let most): "growth of at most \(ByteWords.text(most))"
    case .file(_, .body): "the server's body, byte by byte"
    case .file(_, .secondVersion): "the server's new body, byte by byte"
    case .file(_, .thirdVersion): "the server's last body, byte by byte"
    case .requests(let bound, _, _), .sockets(let bound), .opens(let bound), .callbacksOnMain(let bound),
      .ownThreads(let bound), .callbackThreads(let bound), .startsOnMain(let bound),
      .loads(let bound):
      bound.words
    case .header(_, let value?): "“\(value)” each time"
    case .header(_, nil): "there each time"
    case .withoutHeader: "in no request"
    case .sent(let more): "at most the body and \(ByteWords.text(more))"
    case .result("{newName}"): "the name from the server's new document"
    case .result("{endings}"): "the word for each ending, in the server's order"
    case .result("{sum}"): "the sum of the bytes of the server's body"
    case .result(let text): text.contains("{name}") ? "the name from the server's document" : "“\(text)”"
    case .results(let text):
      text.contains("{") ? "the names from the server's documents, each once it is known" : "“\(text)” alone"
    case .label(""): "set by nobody"
    case .label(let text):
      text.contains("{name}")
        ? "the name from the server's document, set on the main thread" : "“\(text)”, set on the main thread"
    case .progress(let bound, 1, _?): "rising from 0 to 1 in steps while it loads: \(bound.words), on the main thread"
    case .progress(Bound(least: 1), 1, nil): "rising from 0 to 1, on the main thread"
    case .progress(let bound, 1, nil): "rising from 0 to 1 in steps: \(bound.words), on the main thread"
    case .progress(_, 0, _): "staying at 0"
    case .progress(let bound, let end, _):
      "rising to \(end) and no further, in steps: \(bound.words), on the main thread"
    case .printed: "after the server's answer"
    case .touched(let bound): "\(bound.words) moves"
    case .mainGap(let most): "never busy for more than \(most) s, nor for \(2 * most) s in all"
    case .time(let most), .processor(let most): "at most \(most) s"
    case .threadsLeft(let most): "at most \(most)"
    case .wakeups(_?, let most): "at most \(most) until its end"
    case .wakeups(nil, let most): "at most \(most)"
    case .received: "all bytes, the right ones"
    case .traffic(let rule): rule.wanted
    case .left(let most): "at most \(ByteWords.text(most)) in all"
    case .files(_, let count, false): "exactly \(count), each with the server's body"
    case .files(_, let count, true): "exactly \(count), each with the server's body of its number"
    case .memoryLeft(let most): "at most \(ByteWords.text(most)) more than before"
    case .threads(let most): "at most \(most) more than before"
    }
  }
}

extension CheckRule.Bound {
  var words: Phrase {
    switch (least, most) {
    case (let least?, let most?) where least == most: "exactly \(least)"
    case (let least?, let most?): "\(least) to \(most)"
    case (let least?, nil): "at least \(least)"
    case (nil, let most?): "at most \(most)"
    case (nil, nil): .empty
    }
  }
}
