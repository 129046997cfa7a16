// SPDX-License-Identifier: Apache-2.0
import HTTPRules
import Testing

/// Octets that are no UTF-8 in texts.
@Suite struct FieldOctetsTests {
  @Test func `text in UTF-8 is itself`() {
    for text in ["", "abc", "é 漢字 \u{10FFFF}\u{100000}"] {
      #expect(FieldOctets.text(Array(text.utf8)) == text && FieldOctets.octets(text) == Array(text.utf8))
      #expect(FieldOctets.sentBack(String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))) == text)
    }
  }

  @Test func `every sequence of octets comes back`() {
    let samples: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0xBA, 0xBB, 0xBF, 0xC3, 0xE2, 0xF4, 0xFF]
    for _ in 0..<20_000 {
      let octets = (0..<Int.random(in: 0...9)).map { _ in samples.randomElement() ?? 0 }
      #expect(FieldOctets.octets(FieldOctets.text(octets)) == octets)
    }
    for octet in UInt8.min...UInt8.max { #expect(FieldOctets.octets(FieldOctets.text([octet])) == [octet]) }
  }

  @Test func `a scalar that stands for an octet is four octets where a server sends it`() {
    let octets = Array("\u{10FE80}\u{10FEFF}".utf8)
    #expect(FieldOctets.text(octets).unicodeScalars.count == 8)
    #expect(FieldOctets.octets("\u{10FE80}\u{10FEFF}") == [0x80, 0xFF])
  }
}
