// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct JobEndTests {
  private let cancelled = Outcome.Failure(domain: "NSURLErrorDomain", code: -999, name: "NSURLErrorCancelled")

  private func end(_ loads: LoadResult..., by processEnd: ChildReport.End = .exited(0)) -> Outcome {
    var report = ChildReport(end: processEnd)
    report.measurement = Measurement(
      hasEnded: true, wall: 1, usage: ProcessUsage(), instruments: ProcessUsage(), peak: 0, curve: [], peakThreads: 1,
      threadsAfter: 1, libraryThreads: 0, longestGap: 0, gaps: [], recording: Recording())
    return JobEnd(report, loads: loads, limit: 30).outcome
  }

  @Test func `a pause that was resumed is a step of a job that finished`() {
    let outcome = end(
      LoadResult(number: 1, kind: .cancelled, error: cancelled, began: 0, ended: 0.4),
      LoadResult(number: 2, kind: .finished, status: 206, began: 0.5, ended: 1))
    #expect(outcome.kind == .finished && outcome.error == nil && outcome.status == 206)
  }

  @Test func `a cancelled last load makes a cancelled job, with its error where one was told`() {
    #expect(end(LoadResult(number: 1, kind: .cancelled, began: 0, ended: 0.4)).kind == .cancelled)
    let outcome = end(LoadResult(number: 1, kind: .cancelled, error: cancelled, began: 0, ended: 0.4))
    #expect(outcome.kind == .cancelled && outcome.error == cancelled)
  }

  @Test func `a program that was not started says which limit the kernel does not enter`() {
    var report = ChildReport(end: .exited(71))
    report.refusal = "seccomp: Function not implemented"
    let outcome = JobEnd(report, loads: [], limit: 30).outcome
    #expect(outcome.kind == .failed)
    #expect(
      outcome.why.description
        == "the program was not started, for this machine’s kernel does not keep it to a limit: seccomp: Function not implemented"
    )
  }

  @Test func `a load without an end leaves the job without one`() {
    #expect(end(LoadResult(number: 1, kind: .noEnd, began: 0)).kind == .noEnd)
  }

  @Test func `of loads at the same time the one that failed decides`() {
    let failure = Outcome.Failure(domain: "NSURLErrorDomain", code: -1005, name: "NSURLErrorNetworkConnectionLost")
    let outcome = end(
      LoadResult(number: 1, kind: .failed, error: failure, began: 0, ended: 1),
      LoadResult(number: 2, kind: .finished, began: 0.1, ended: 1.1))
    #expect(outcome.kind == .failed && outcome.error == failure)
    #expect(outcome.why.description == "1 of 2 loads")
  }

  @Test func `a program without a load finished`() {
    #expect(end().kind == .finished)
  }

  @Test func `a crash is no matter of loads`() {
    #expect(end(LoadResult(number: 1, kind: .finished, began: 0, ended: 1), by: .signaled(4)).kind == .crashed)
  }
}
