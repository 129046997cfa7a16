// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

@Suite struct WebSocketWriterTests {
  /// Takes a client's frame apart: opcode with the final bit, and the content without its mask.
  static func unmask(_ frame: [UInt8]) throws -> (first: UInt8, content: [UInt8]) {
    try #require(frame.count >= 6 && frame[1] & 0x80 != 0)
    let short = Int(frame[1] & 0x7f)
    let start = short == 127 ? 10 : short == 126 ? 4 : 2
    let length = start == 2 ? short : frame[2..<start].reduce(0) { $0 << 8 | Int($1) }
    let mask = Array(frame[start..<(start + 4)])
    let masked = Array(frame[(start + 4)...])
    try #require(masked.count == length)
    return (frame[0], masked.enumerated().map { $1 ^ mask[$0 & 3] })
  }

  @Test func `the masked example of RFC 6455 section 5_7 is written`() {
    let frame = WebSocketWriter.frame(.text, Data("Hello".utf8), mask: 0x37fa_213d)
    #expect(frame == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
  }

  @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 65_535, 65_536, 70_001])
  func `content of any length comes through`(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let (first, read) = try Self.unmask(WebSocketWriter.frame(.binary, Data(content), mask: 0x0102_0304))
    let isEqual = first == 0x82 && read == content
    #expect(isEqual)
  }

  @Test func `a slice is written as what it is`() throws {
    let slice = Data([9, 9, 1, 2, 3]).dropFirst(2)
    #expect(try Self.unmask(WebSocketWriter.frame(.ping, slice, mask: 1)).content == [1, 2, 3])
  }

  @Test func `a reason is cut between characters, and left out where it is no text`() {
    let long = Data(String(repeating: "ä", count: 100).utf8)
    #expect(WebSocketClose(code: 1000, reason: long).payload.count == 2 + 122)
    #expect(WebSocketClose(code: 1000, reason: Data([0xff])).payload == Data([3, 232]))
    for code: UInt16? in [nil, 0, 1005, 1006, 1015] {
      #expect(WebSocketClose(code: code, reason: Data("x".utf8)).payload.isEmpty)
    }
  }
}
