// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The finding of one run about one check.
struct Judgement: Sendable, Hashable {
  /// The result of the measurement.
  var measured: Phrase
  /// True if it keeps to what is wanted.
  var holds: Bool

  init(_ measured: Phrase, _ holds: Bool) {
    self.measured = measured
    self.holds = holds
  }
}

extension CheckRule {
  /// Judges one run.
  func judge(_ facts: RunFacts) -> Judgement {
    switch self {
    case .growth(let most):
      let growth = facts.run.result.memory.growth
      return Judgement("\(ByteWords.text(growth))", growth <= most)
    case .file(let name, let content): return file(name, content, facts)
    case .requests(let bound, let path, let method):
      return count(facts.requests(path: path, method: method).count, bound)
    case .header(let name, let value): return header(name, value, facts)
    case .withoutHeader(let name, let path):
      return count(facts.requests(path: path).count { $0.fields[name.lowercased()] != nil }, Bound(most: 0))
    case .sockets(let bound): return count(facts.run.result.traffic.sockets, bound)
    case .sent(let more):
      let sent = facts.run.result.traffic.bytesSent
      return Judgement("\(ByteWords.text(sent))", sent <= facts.bodyBytes + more)
    case .opens(let bound): return openings(bound, facts.opens)
    case .received(let path): return received(path, facts)
    case .traffic(let rule): return rule.judge(facts)
    case .left(let most):
      let left = facts.run.files.filter { most > 0 || !$0.path.hasPrefix(".home/") }.reduce(0) { $0 + $1.bytes }
      return Judgement("\(ByteWords.text(left))", left <= most)
    case .files(let prefix, let count, let isNumbered): return files(prefix, count, isNumbered, facts)
    default: return judgeInside(facts)
    }
  }

  func count(_ number: Int, _ bound: Bound) -> Judgement { Judgement("\(number)", bound.contains(number)) }

  private func openings(_ bound: Bound, _ seen: FolderWatch.Openings?) -> Judgement {
    switch seen {
    case .counted(let number): count(number, bound)
    case .tooMany: Judgement("more openings than the kernel keeps", false)
    case .hidden:
      Judgement(
        "the program made a folder, and what it opens there is not counted; write without folders of your own", false)
    case nil: Judgement("the kernel did not say", false)
    }
  }

  private func file(_ name: String, _ content: Content, _ facts: RunFacts) -> Judgement {
    guard let file = facts.run.files.first(where: { $0.path == name }) else {
      return Judgement("there is no such file", false)
    }
    if file.bytes != facts.bodyBytes {
      return Judgement("\(file.bytes) bytes in place of \(facts.bodyBytes)", false)
    }
    if file.checksum != facts.checksum(of: content) {
      let isOld = content != .body && file.checksum == facts.checksum(of: .body)
      return Judgement(
        isOld ? "these are the old file's bytes" : "as long, but with other bytes", false)
    }
    return loaded(facts) ?? Judgement("equal, \(file.bytes) bytes", true)
  }

  /// Counts the bytes on disk only where the server sent them; nil where it did.
  private func loaded(_ facts: RunFacts) -> Judgement? {
    let sent = facts.run.result.traffic.bytesSent
    guard sent < facts.bodyBytes else { return nil }
    return Judgement("the right bytes, of which the server sent only \(ByteWords.text(sent))", false)
  }

  private func files(_ prefix: String, _ count: Int, _ isNumbered: Bool, _ facts: RunFacts) -> Judgement {
    let files = facts.run.files.filter { $0.path.hasPrefix(prefix) }
    let right = files.count { file in
      let number = isNumbered ? UInt64(file.path.dropFirst(prefix.count)) : 0
      return file.bytes == facts.bodyBytes && number.map { file.checksum == facts.checksum(beyond: $0) } ?? false
    }
    if let missing = loaded(facts), right > 0 { return missing }
    let measured: Phrase = "\(Phrase.count(files.count, "file")), \(right) of them right"
    return Judgement(measured, right == count && files.count == count)
  }

  private func header(_ name: String, _ value: String?, _ facts: RunFacts) -> Judgement {
    let values = facts.run.requests.map { $0.fields[name.lowercased()] }
    let right = values.count { value == nil ? $0 != nil : $0 == value }
    return Judgement("in \(right) of \(Phrase.count(values.count, "request"))", right == values.count && right > 0)
  }

  private func received(_ path: String, _ facts: RunFacts) -> Judgement {
    let bodies = facts.requests(path: path).filter { (200..<300).contains($0.status ?? 0) }
    guard let last = bodies.last else { return Judgement("no request that was answered with 2xx", false) }
    let isRight = last.bodyBytes == facts.bodyBytes && last.bodyChecksum == facts.checksum(of: .body)
    return Judgement("\(last.bodyBytes) bytes, \(isRight ? "the right ones" : "other ones")" as Phrase, isRight)
  }

  // MARK: - What the process itself reports

  private func judgeInside(_ facts: RunFacts) -> Judgement {
    let result = facts.run.result
    switch self {
    case .result(let text): return last(.result, text, onMain: false, facts)
    case .results(let text):
      let all = facts.shown(.result).map(\.text).joined(separator: " ")
      return all.isEmpty
        ? Judgement("nothing", false) : Judgement("“\(String(all.prefix(60)))”", all == facts.filled(text))
    case .label(let text): return last(.label, text, onMain: true, facts)
    case .progress(let bound, let end, let path): return progress(bound, until: end, during: path, facts)
    case .touched(let bound):
      guard let touch = result.happenings.touch?.counted else { return Judgement("it was not touched", false) }
      let during = facts.shown(.progress).filter {
        touch.contains($0.instant) && $0.runLoopMode == RunLoop.Mode.tracking.rawValue
      }
      let moves = Set(during.map(\.text)).count
      return count(moves, bound)
    case .mainGap(let most): return mainThread(result.mainThread, most)
    case .callbacksOnMain(let bound):
      let places = result.callbacks.filter(\.implemented).flatMap(\.places)
      return count(places.filter(\.thread.main).reduce(0) { $0 + $1.count }, bound)
    case .ownThreads(let bound):
      let places = result.callbacks.filter(\.implemented).flatMap(\.places)
      return count(places.filter { !$0.thread.main && $0.queue == nil }.reduce(0) { $0 + $1.count }, bound)
    case .time(let most): return Judgement("\(Self.seconds(result.time.wall)) s", result.time.wall <= most)
    case .threadsLeft(let most):
      let left = max(0, result.threads.after - result.threads.before)
      return Judgement("\(left)", left <= most)
    default: return judgeCosts(facts)
    }
  }

  /// Many short pauses keep a person waiting as one long one does.
  private func mainThread(_ main: MainThread, _ most: Double) -> Judgement {
    guard main.longestGap <= most else { return Judgement("\(Self.seconds(main.longestGap)) s", false) }
    let all = main.gaps.reduce(0) { $0 + $1.ended - $1.began }
    return Judgement(
      "\(Self.seconds(main.longestGap)) s, in all \(Self.seconds(all)) s" as Phrase, all <= 2 * most)
  }

  private func last(_ kind: ShownValue.Kind, _ text: String, onMain: Bool, _ facts: RunFacts) -> Judgement {
    let shown = facts.shown(kind)
    guard let last = shown.last else { return Judgement("nothing", text.isEmpty) }
    if onMain, let wrong = shown.first(where: { !$0.thread.main }) {
      return Judgement("set on \(wrong.thread.words)", false)
    }
    let isRight = last.text == facts.filled(text)
    return Judgement("“\(String(last.text.prefix(60)))”", isRight)
  }

  private func progress(_ bound: Bound, until end: Double, during path: String?, _ facts: RunFacts) -> Judgement {
    let shown = facts.shown(.progress)
    let values = shown.map { Double($0.text) ?? .nan }
    if let wrong = values.first(where: { !(0...1).contains($0) }) { return Judgement("it showed \(wrong)", false) }
    if let place = shown.first(where: { !$0.thread.main }) { return Judgement("moved on \(place.thread.words)", false) }
    if let fall = zip(values, values.dropFirst()).first(where: { $1 < $0 }) {
      return Judgement("it fell from \(Self.seconds(fall.0)) to \(Self.seconds(fall.1))", false)
    }
    guard let last = values.last else { return Judgement("it did not move", end == 0) }
    let ends = end < 1 ? (end / 2...end).contains(last) : last == 1
    if let path {
      let stretches = facts.requests(path: path).map { $0.began...max($0.began, $0.ended ?? .infinity) }
      let during = Set(shown.filter { step in stretches.contains { $0.contains(step.instant) } }.map(\.text)).count
      return Judgement(
        "\(Phrase.count(during, "step")) during the load, the last one \(Self.seconds(last))",
        bound.contains(during) && ends)
    }
    let steps = Set(values).count
    return Judgement(
      "\(Phrase.count(steps, "step")), the last one \(Self.seconds(last))", bound.contains(steps) && ends)
  }

  static func seconds(_ value: Double) -> String { String(format: "%.2f", value) }
}
