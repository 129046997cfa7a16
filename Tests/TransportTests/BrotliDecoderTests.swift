// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Transport

/// RFC 7932 in pieces, cut and damaged, as the gzip tests have it.
@Suite struct BrotliDecoderTests {
  /// `DecoderChainTests.text`, by the reference encoder.
  private static let coded = Array(Data(base64Encoded: "G18iAEQnR3qgg0cY9/WWtAqf36paGRLOW0PCCTQA2hjlEwI=") ?? Data())

  /// 200 MiB of zeros, by the same.
  private static let bomb = Array(
    Data(
      base64Encoded: """
        y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje
        //H//w8ACYA4LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8AEgBxWAC6
        93/8//8DQAIgDgtA9/6P//9/AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA
        7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fs//v//ASABEIcF
        oHv/l///fwAkAOKwAHTv/wA=
        """, options: .ignoreUnknownCharacters) ?? Data())

  /// Decodes `input` in pieces of `step` bytes; nil when it failed.
  private func decode(
    _ input: [UInt8], step: Int = .max, _ codings: [ContentCoding] = [.brotli]
  ) -> (output: [UInt8], isComplete: Bool)? {
    DecoderChainTests.decode(input, codings, step: step)
  }

  @Test(arguments: [1, 3, 16, Int.max]) func `it is taken off, however it is cut`(step: Int) {
    let result = decode(Self.coded, step: step)
    #expect(result?.output == DecoderChainTests.text && result?.isComplete == true)
    let zipped = DecoderChainTests.compress(Self.coded, windowBits: 31)
    #expect(decode(zipped, step: step, [.brotli, .gzip])?.output == DecoderChainTests.text)
  }

  /// The front of a stream whose few bytes stand for more than a step has room for.
  private static let dense = Array(
    Data(
      base64Encoded: "yxtfIgBEJ0d6oINHGPf1lrQKn9+qWgAAAAAAAAAACQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAFNlcXVlbmNlAAAAAAAAAABA"
        + "CUkJCQkJCQkJAAAAABLT086ggwAAAAAAAA==") ?? Data())

  @Test(arguments: [1, 7, Int.max]) func `all that the bytes so far stand for is handed out`(step: Int) {
    let result = decode(Self.dense, step: step)
    #expect(result?.output.count == 1_082_850 && result?.isComplete == false)
  }

  @Test func `a stream cut at any byte is not complete`() {
    for count in 1..<Self.coded.count {
      #expect(decode(Array(Self.coded[..<count]))?.isComplete != true, "complete after \(count) bytes")
    }
    #expect(DecoderChain([.brotli]).isComplete)
  }

  @Test(arguments: [1, Int.max]) func `bytes behind the end are ignored`(step: Int) {
    let result = decode(Self.coded + [1, 2, 3], step: step)
    #expect(result?.output == DecoderChainTests.text && result?.isComplete == true)
  }

  @Test func `bytes that are not of the coding fail, and so does a window that no browser takes`() {
    #expect(decode(Array(repeating: 0xaa, count: 64)) == nil)
    #expect(decode([0x11, 0x3e] + Self.coded.dropFirst()) == nil)
  }

  @Test func `a pause stops at once, and goes on where it stopped`() throws {
    let chain = DecoderChain([.brotli])
    var (delivered, calls) = (0, 0)
    func take(_ bytes: UnsafeRawBufferPointer) -> TransferFlow {
      delivered += bytes.count
      calls += 1
      return .pause
    }
    _ = try Self.bomb.withUnsafeBytes { bytes throws(TransferFailure) in try chain.feed(bytes, take) }
    while chain.hasWaitingInput {
      let before = (delivered, calls)
      _ = try chain.drain(take)
      guard delivered - before.0 <= 64 << 10, calls - before.1 <= 1 else {
        Issue.record("\(delivered - before.0) bytes in \(calls - before.1) calls after a pause")
        return
      }
    }
    #expect(delivered == 200 << 20)
    #expect(chain.isComplete)
  }
}
