// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Measuring

extension ProcessResult {
  /// The process in the form of an example, for drawings and traces: the loads of the one are those of the other.
  var example: ExampleResult {
    let status = loads.contains { $0.error != nil } ? Outcome.Kind.failed : .finished
    var example = ExampleResult(
      id: "\(process)", title: command, side: side,
      outcome: Outcome(kind: endedInOrder ? status : .noEnd), time: TimeUse(wall: ended - began), memory: memory,
      threads: ThreadCounts(peak: threads), callbacks: callbacks)
    example.loads = loads.enumerated().map { index, load in load.result(index + 1) }
    example.ticks = ticks
    example.pitfalls = pitfalls
    return example
  }

  /// The column of most of its loads.
  private var side: Side {
    let connections = loads.count { ["connection", "waitingConnection", "synchronous", "queued"].contains($0.form) }
    return connections * 2 > loads.count ? .connection : .session
  }
}

extension LoadRow {
  fileprivate func result(_ number: Int) -> LoadResult {
    let isCancelled = error?.hasSuffix(" -999") == true
    let kind: Outcome.Kind = isCancelled ? .cancelled : error != nil ? .failed : ended == nil ? .noEnd : .finished
    return LoadResult(
      number: number, kind: kind, status: status, bytes: Int(clamping: bytes), began: began, ended: ended)
  }
}
