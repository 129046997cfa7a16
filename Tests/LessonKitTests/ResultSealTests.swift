// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import Testing

@testable import LessonKit

/// What tells the measuring's lines from a program's.
@Suite struct ResultSealTests {
  private let seal = ResultSeal()

  @Test func `a line is opened by the key of its run alone, and as it was sealed`() {
    let sealed = seal.sealed(Array("{}".utf8))
    #expect(seal.opened(sealed) == Array("{}".utf8))
    #expect(ResultSeal().opened(sealed) == nil)
    #expect(seal.opened(sealed + Array(" ".utf8)) == nil)
    #expect(seal.opened([0] + sealed.dropFirst()) == nil)
    #expect(seal.opened(Array("{\"measured\":{}}".utf8)) == nil && seal.opened([UInt8]()) == nil)
  }

  /// A seal whose key comes in these pieces.
  private func received(_ pieces: [[UInt8]]) -> ResultSeal? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for piece in pieces { write(ends[1], piece, piece.count) }
    close(ends[1])
    return ResultSeal(readingFrom: ends[0])
  }

  @Test func `the child's seal is the parent's, and nothing is left of its key in the pipe`() throws {
    let line = seal.keyLine
    let child = try #require(received([Array(line.prefix(10)), Array(line.dropFirst(10))]))
    #expect(seal.opened(child.sealed([1, 2, 3])) == [1, 2, 3])
    #expect(received([]) == nil && received([line.dropLast()]) == nil)
    #expect(received([[UInt8](repeating: UInt8(ascii: "x"), count: 65)]) == nil)
  }

  @Test func `sealed lines come through in whatever pieces they arrive`() {
    let bytes = ["one", "two\u{2028}"].flatMap { seal.sealed(Array($0.utf8)) + [UInt8(ascii: "\n")] }
    for size in [1, 7, bytes.count] {
      var lines = ResultLines(seal)
      let taken = stride(from: 0, to: bytes.count, by: size).flatMap {
        lines.take(bytes[$0..<min($0 + size, bytes.count)])
      }
      #expect(taken == ["one", "two\u{2028}"] && !lines.haveForged)
    }
  }

  @Test(arguments: ["\n", "{\"measured\":{}}\n", "stray"])
  func `a line of the program's is noticed, also when a sealed one comes behind it`(_ forged: String) {
    var lines = ResultLines(seal)
    #expect(lines.take(Array(forged.utf8)).isEmpty)
    let taken = lines.take(seal.sealed(Array("true".utf8)) + [UInt8(ascii: "\n")])
    #expect(taken == (forged.hasSuffix("\n") ? ["true"] : []))
    #expect(lines.haveForged)
  }

  @Test func `a line cut off by the end of its process is no forgery`() {
    var lines = ResultLines(seal)
    #expect(lines.take(seal.sealed(Array("cut".utf8)).dropLast(3)).isEmpty && !lines.haveForged)
  }

  @Test func `a measurement whose beginning is missing was tampered with`() {
    let example = OwnProgram.lesson(named: "mine", side: .session, file: "mine.swift").examples[0]
    let maker = ResultMaker(example: example, expected: nil, bodyBytes: 1, seed: 1, limit: 1)
    var report = ChildReport(end: .exited(0))
    let log = ServerLog().take()
    #expect(!maker.make(from: report, log, files: []).isForged, "a program that ended itself")
    #expect(!maker.make(from: report, log, files: []).wasStarted, "it ended before its program began")
    report.measurement = Measurement(
      hasEnded: true, wall: 1, usage: ProcessUsage(), instruments: ProcessUsage(), peak: 0, curve: [], peakThreads: 1,
      threadsAfter: 1, libraryThreads: 0, longestGap: 0, gaps: [], recording: Recording())
    #expect(maker.make(from: report, log, files: []).isForged)
    report.preparation = Preparation(baseline: 1, threads: 1, usage: ProcessUsage(), started: 0)
    #expect(!maker.make(from: report, log, files: []).isForged)
  }

  @Test func `what comes behind a line without end is dropped`() {
    var lines = ResultLines(seal)
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 9 << 20)
    for _ in 0..<3 { #expect(lines.take(piece).isEmpty) }
    #expect(lines.take([UInt8(ascii: "\n")] + seal.sealed([1]) + [UInt8(ascii: "\n")]).isEmpty)
  }
}
