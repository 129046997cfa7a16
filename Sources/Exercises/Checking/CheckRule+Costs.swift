// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The costs of a program: memory, threads and wake-ups, counted in its own process.
extension CheckRule {
  func judgeCosts(_ facts: RunFacts) -> Judgement {
    let result = facts.run.result
    switch self {
    case .memoryLeft(let most):
      guard let last = result.memory.curve.last else { return Judgement("this was not measured", false) }
      let left = last.bytes - result.memory.baseline
      return Judgement("\(ByteWords.text(max(0, left))) more than before", left <= most)
    case .callbackThreads(let bound):
      let places = result.callbacks.filter(\.implemented).flatMap(\.places)
      return count(Set(places.map(\.thread.id)).count, bound)
    case .threads(let most):
      let more = max(0, result.threads.peak - result.threads.before)
      return Judgement("\(more) more than before", more <= most)
    case .processor(let most): return Judgement("\(Self.seconds(result.time.cpu)) s", result.time.cpu <= most)
    case .wakeups(let line?, let most): return wakeups(line, most, facts.run.recording)
    case .wakeups(nil, let most):
      guard let wakeups = facts.run.recording.otherWakeups else { return Judgement("this was not measured", false) }
      return count(wakeups, Bound(most: most))
    case .startsOnMain(let bound):
      let loads = facts.run.recording.loads
      guard !loads.isEmpty else { return Judgement("no load was started", false) }
      return count(loads.count(where: \.origin.main), bound)
    case .loads(let bound): return count(facts.run.recording.loads.count, bound)
    case .printed(let line): return printed(line, facts)
    default: return Judgement("this was not measured", false)
    }
  }

  private func printed(_ text: String, _ facts: RunFacts) -> Judgement {
    guard let line = facts.run.recording.lines.first(where: { $0.text == text }) else {
      return Judgement("nobody printed that", false)
    }
    guard let answer = facts.requests().compactMap(\.answered).max() else {
      return Judgement("the server did not answer", false)
    }
    guard line.instant >= answer else {
      return Judgement("\(Self.seconds(answer - line.instant)) s before the answer", false)
    }
    return Judgement("after the answer", true)
  }

  private func wakeups(_ text: String, _ most: Int, _ recording: Recording) -> Judgement {
    guard let line = recording.lines.first(where: { $0.text == text }) else {
      return Judgement("nobody printed that", false)
    }
    guard let end = recording.threadEnds[line.thread.id] else {
      return Judgement("\(line.thread.words) has not ended", false)
    }
    return Judgement("\(end.wakeups)", end.wakeups <= most)
  }
}
