// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

@Suite struct WebSocketReaderTests {
  /// What a reader made of bytes.
  struct Outcome: Equatable {
    var events: [WebSocketReader.Event] = []
    var violation: UInt16?
  }

  /// Reads `bytes`, cut before each of these places.
  static func read(_ bytes: [UInt8], cuts: [Int] = [], limit: Int = 1 << 20) -> Outcome {
    var reader = WebSocketReader(maximumMessageSize: limit)
    var outcome = Outcome()
    let places = [0] + cuts + [bytes.count]
    for (start, end) in zip(places, places.dropFirst()) {
      Array(bytes[start..<end]).withUnsafeBytes { piece in
        var input = piece
        do throws(WebSocketReader.Violation) {
          while let event = try reader.next(&input) { outcome.events.append(event) }
        } catch {
          outcome.violation = error.code
        }
      }
    }
    return outcome
  }

  /// The same whole, byte by byte, and in two pieces cut at every place.
  static func readInAllWays(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> Outcome {
    let whole = read(bytes, limit: limit)
    #expect(read(bytes, cuts: Array(0..<bytes.count), limit: limit) == whole)
    for place in 0...min(bytes.count, 300) { #expect(read(bytes, cuts: [place], limit: limit) == whole) }
    return whole
  }

  static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    let length: [UInt8] =
      switch payload.count {
      case ..<126: [UInt8(payload.count)]
      case ..<65_536: [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
      default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
      }
    return [(isFinal ? 0x80 : 0) | opcode] + length + payload
  }

  @Test func `the examples of RFC 6455 section 5_7 are read`() throws {
    let hello: WebSocketReader.Event = .message(.text("Hello"))
    #expect(try Self.readInAllWays([0x81, 5, 0x48, 0x65, 0x6c, 0x6c, 0x6f]) == Outcome(events: [hello]))
    let parts: [UInt8] = [0x01, 3, 0x48, 0x65, 0x6c, 0x80, 2, 0x6c, 0x6f]
    #expect(try Self.readInAllWays(parts) == Outcome(events: [hello]))
    #expect(try Self.readInAllWays([0x89, 5] + Array("Hello".utf8)) == Outcome(events: [.ping(Data("Hello".utf8))]))
  }

  @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
  func `a message of any length comes whole`(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let outcome = try Self.readInAllWays(Self.frame(2, content))
    #expect(outcome.events.count == 1 && outcome.violation == nil)
    #expect(outcome.events.first == .message(.binary(Data(content))))
  }

  @Test func `control frames come between the fragments of a message`() throws {
    let bytes =
      Self.frame(1, Array("a".utf8), isFinal: false) + Self.frame(9, [1]) + Self.frame(0, [], isFinal: false)
      + Self.frame(10, []) + Self.frame(0, Array("b".utf8)) + Self.frame(8, [3, 232])
    #expect(
      try Self.readInAllWays(bytes)
        == Outcome(events: [
          .ping(Data([1])), .pong(Data()), .message(.text("ab")), .close(WebSocketClose(code: 1000)),
        ]))
  }

  @Test func `a character may be cut by fragments, but must be whole in the end`() throws {
    let bytes = Self.frame(1, [0xe2, 0x82], isFinal: false) + Self.frame(0, [0xac])
    #expect(try Self.readInAllWays(bytes) == Outcome(events: [.message(.text("€"))]))
    #expect(try Self.readInAllWays(Self.frame(1, [0xe2, 0x82])) == Outcome(violation: 1007))
    #expect(try Self.readInAllWays(Self.frame(1, [0xed, 0xa0, 0x80])) == Outcome(violation: 1007))
  }

  @Test(
    arguments: [
      [0xc1, 0], [0x83, 0], [0x8b, 0], [0x09, 0], [0x80, 0], [0x81, 0x80, 0, 0, 0, 0], [0x89, 126, 0, 126],
      [0x82, 126, 0, 125], [0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255],
      [0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255],
      [0x01, 1, 97, 0x81, 1, 97], [0x88, 1, 3], [0x88, 2, 3, 237], [0x88, 2, 0, 0], [0x88, 2, 3, 236],
      [0x88, 2, 19, 136], [0x88, 3, 3, 232, 255],
    ] as [[UInt8]])
  func `what a server must not send closes with 1002`(bytes: [UInt8]) throws {
    let outcome = try Self.readInAllWays(bytes + Self.frame(1, Array("late".utf8)))
    #expect(outcome == Outcome(violation: 1002))
  }

  @Test(arguments: [[3, 232], [3, 244], [11, 184], [19, 135]] as [[UInt8]])
  func `codes that may be sent are read`(code: [UInt8]) throws {
    let expected = WebSocketClose(code: UInt16(code[0]) << 8 | UInt16(code[1]), reason: Data("why".utf8))
    #expect(try Self.readInAllWays(Self.frame(8, code + Array("why".utf8))).events == [.close(expected)])
  }

  @Test func `a message that is too large is refused by what it announces`() throws {
    #expect(try Self.readInAllWays([0x82, 127, 0, 0, 0, 0, 0x7f, 0, 0, 0]) == Outcome(violation: 1009))
    let parts = Self.frame(2, [1, 2, 3], isFinal: false) + [0x80, 2]
    #expect(try Self.readInAllWays(parts, limit: 4) == Outcome(violation: 1009))
    #expect(try Self.readInAllWays(Self.frame(2, [1, 2, 3, 4]), limit: 4).violation == nil)
    #expect(try Self.readInAllWays(Self.frame(2, []), limit: .min).violation == nil)
  }

  @Test func `nothing comes after a close frame`() throws {
    let outcome = try Self.readInAllWays(Self.frame(8, []) + Self.frame(1, [97]) + [0xff])
    #expect(outcome == Outcome(events: [.close(WebSocketClose(code: nil))]))
  }
}
