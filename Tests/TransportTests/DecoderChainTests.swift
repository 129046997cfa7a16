// SPDX-License-Identifier: Apache-2.0
import CZlib
import Testing

@testable import Transport

@Suite struct DecoderChainTests {
  /// `bytes` compressed by zlib; 31 makes gzip, 15 zlib, -15 a bare stream.
  static func compress(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    let produced = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<produced])
  }

  static let text = Array(String(repeating: "All work and no play. ", count: 400).utf8)

  /// Decodes `input` in pieces of `step` bytes; nil when it failed.
  static func decode(
    _ input: [UInt8], _ codings: [ContentCoding], step: Int = .max
  ) -> (output: [UInt8], isComplete: Bool)? {
    let chain = DecoderChain(codings)
    var output: [UInt8] = []
    func take(_ piece: UnsafeRawBufferPointer) -> TransferFlow {
      output.append(contentsOf: piece)
      return .proceed
    }
    var rest = input[...]
    do {
      while !rest.isEmpty {
        var turn = try Array(rest.prefix(step)).withUnsafeBytes { bytes throws(TransferFailure) in
          try chain.feed(bytes, take)
        }
        while turn == .over { turn = try chain.drain(take) }
        rest = rest.dropFirst(step)
      }
      return (output, chain.isComplete)
    } catch {
      return nil
    }
  }

  @Test(arguments: [1, 7, 1000, Int.max]) func `each coding is taken off, however it is cut`(step: Int) {
    let gzip = Self.compress(Self.text, windowBits: 31)
    #expect(Self.decode(gzip, [.gzip], step: step)?.output == Self.text)
    #expect(Self.decode(Self.compress(Self.text, windowBits: 15), [.deflate], step: step)?.output == Self.text)
    #expect(Self.decode(Self.compress(Self.text, windowBits: -15), [.deflate], step: step)?.output == Self.text)
    #expect(Self.decode(Self.compress(gzip, windowBits: 31), [.gzip, .gzip], step: step)?.output == Self.text)
  }

  @Test func `a stream cut at any byte is not complete`() {
    let gzip = Self.compress(Self.text, windowBits: 31)
    for count in 1..<gzip.count {
      let result = Self.decode(Array(gzip[..<count]), [.gzip])
      #expect(result?.isComplete == false, "complete after \(count) of \(gzip.count) bytes")
    }
    #expect(Self.decode(gzip, [.gzip])?.isComplete == true)
  }

  @Test func `an empty body is complete`() {
    #expect(DecoderChain([.gzip]).isComplete)
  }

  @Test(arguments: [1, 2, Int.max]) func `a second member is read, other bytes behind the end are ignored`(step: Int) {
    let gzip = Self.compress(Self.text, windowBits: 31)
    #expect(Self.decode(gzip + gzip, [.gzip], step: step)?.output == Self.text + Self.text)
    for tail: [UInt8] in [[1, 2, 3], [0x1f], [0x1f, 0x1f, 0x8b], [0] + gzip] {
      let result = Self.decode(gzip + tail, [.gzip], step: step)
      #expect(result?.output == Self.text && result?.isComplete == true, "\(tail.prefix(3))")
    }
  }

  @Test func `a second member is read wherever the pieces part`() {
    let gzip = Self.compress(Array("short".utf8), windowBits: 31)
    let both = gzip + gzip
    for cut in 1..<both.count { #expect(Self.decode(both, [.gzip], step: cut)?.output == Array("shortshort".utf8)) }
  }

  @Test func `bytes that are not of the coding fail`() {
    #expect(Self.decode(Array("plain text".utf8), [.gzip]) == nil)
    var damaged = Self.compress(Self.text, windowBits: 31)
    damaged[damaged.count - 5] ^= 0xff
    #expect(Self.decode(damaged, [.gzip]) == nil)
  }

  @Test(arguments: [1, 2, 5]) func `a second member is found wherever the two are cut`(step: Int) {
    let gzip = Self.compress(Self.text, windowBits: 31)
    #expect(Self.decode(gzip + gzip + gzip, [.gzip], step: step)?.output == Self.text + Self.text + Self.text)
    for behind in [[0x1f], [0x1f, 0x1f, 0x8b], [7, 0x1f, 0x8b]] as [[UInt8]] {
      let result = Self.decode(gzip + behind, [.gzip], step: step)
      #expect(result?.output == Self.text)
      #expect(result?.isComplete == true)
    }
  }

  @Test(arguments: 1...4) func `a pause stops at once, however many codings there are`(count: Int) throws {
    var bomb = [UInt8](repeating: 0, count: 16 << 20)
    for _ in 0..<count { bomb = Self.compress(bomb, windowBits: 31) }
    let chain = DecoderChain(Array(repeating: .gzip, count: count))
    var (delivered, calls) = (0, 0)
    func take(_ bytes: UnsafeRawBufferPointer) -> TransferFlow {
      delivered += bytes.count
      calls += 1
      return .pause
    }
    _ = try bomb.withUnsafeBytes { bytes throws(TransferFailure) in try chain.feed(bytes, take) }
    while chain.hasWaitingInput {
      let before = (delivered, calls)
      _ = try chain.drain(take)
      guard delivered - before.0 <= 64 << 10, calls - before.1 <= 1 else {
        Issue.record("\(delivered - before.0) bytes in \(calls - before.1) calls after a pause")
        return
      }
    }
    #expect(delivered == 16 << 20)
    #expect(chain.isComplete)
  }

  /// One coding whose 8 MiB reach the consumer, or two of which the first brings 8 MiB and the second nothing: members of
  /// gzip without content.
  @Test(arguments: 1...2) func `a turn is over after 1 MiB, and the next one goes on`(count: Int) throws {
    var content = [UInt8](repeating: 0, count: count == 1 ? 8 << 20 : 0)
    let empty = Self.compress([], windowBits: 31)
    while content.count < 8 << 20 { content += empty }
    let body = Self.compress(content, windowBits: 31)
    let chain = DecoderChain(Array(repeating: .gzip, count: count))
    var inTurn = 0
    func take(_ bytes: UnsafeRawBufferPointer) -> TransferFlow {
      inTurn += bytes.count
      return .proceed
    }
    var turns = 1
    var turn = try body.withUnsafeBytes { bytes throws(TransferFailure) in try chain.feed(bytes, take) }
    while turn == .over {
      #expect(inTurn <= (1 << 20) + (64 << 10))
      inTurn = 0
      turn = try chain.drain(take)
      turns += 1
    }
    #expect(turn == .done && chain.isComplete)
    #expect((8...9).contains(turns), "\(turns) turns")
  }
}
