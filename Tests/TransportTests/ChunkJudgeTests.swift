// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transport

@Suite struct ChunkJudgeTests {
  /// The cause of the first failure and whether the end was seen, with the text cut into pieces of `step` bytes.
  private func judge(_ text: String, step: Int) -> (cause: TransferFailure.Cause?, isComplete: Bool) {
    var judge = ChunkJudge()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      let piece = Array(bytes[start..<min(start + step, bytes.count)])
      if let failure = judge.feed(piece.span) { return (failure.cause, judge.isComplete) }
    }
    return (nil, judge.isComplete)
  }

  private static let whole = [
    "0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "A\r\n0123456789\r\n00\r\nX-T: 1\r\n\r\n",
    "3;a=b\r\nabc\r\n0;x\r\n\r\n", "3 ;a\r\nabc\r\n0\r\nA: b\r\nC: d\r\n\r\n", "3\nabc\n0\n\n",
  ]

  @Test(arguments: whole) func `well-formed chunks are complete at their last byte, however they are cut`(text: String)
  {
    for step in 1...text.utf8.count {
      let result = judge(text, step: step)
      #expect(result.cause == nil)
      #expect(result.isComplete)
    }
  }

  @Test func `cut anywhere they are not complete`() {
    let bytes = Array("3\r\nabc\r\n0\r\nX: y\r\n\r\n".utf8)
    for count in 0..<bytes.count {
      var judge = ChunkJudge()
      let failure = judge.feed(Array(bytes[..<count]).span)
      #expect(failure == nil)
      #expect(!judge.isComplete)
    }
  }

  @Test(arguments: [
    "xyz\r\n", "-5\r\n", "\r\n", "0x5\r\n", "12345678901234567\r\n", "FFFFFFFFFFFFFFFF\r\n", "3\r\nabcd", "3\rX",
  ])
  func `what is no chunk is malformed`(text: String) {
    #expect(judge(text, step: 1).cause == .malformedResponse)
    #expect(judge(text, step: text.utf8.count).cause == .malformedResponse)
  }

  @Test func `the greatest chunk of 63 bits is one, and never ends`() {
    let result = judge("7FFFFFFFFFFFFFFF\r\nabc", step: 1)
    #expect(result.cause == nil)
    #expect(!result.isComplete)
  }

  @Test func `extensions without end are too large`() {
    #expect(judge("3;" + String(repeating: "a", count: 70_000), step: 1000).cause == .responseTooLarge)
    let many = String(repeating: "1;" + String(repeating: "a", count: 998) + "\r\nx\r\n", count: 80)
    #expect(judge(many, step: 1000).cause == .responseTooLarge)
  }
}
