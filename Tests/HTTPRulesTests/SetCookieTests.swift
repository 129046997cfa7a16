// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

/// CK-01, CK-02: RFC 6265 section 5.2, and whatever else a server may write.
@Suite struct SetCookieTests {
  private func parse(_ text: String) -> SetCookie? { SetCookie(Array(text.utf8)) }

  @Test func `name and value lose the white space around them, and nothing else`() throws {
    let cookie = try #require(parse(" \t a b \t=\t \"x, y=z\" \t; Path=/"))
    #expect(cookie.name == "a b")
    #expect(cookie.value == "\"x, y=z\"")
    #expect(parse("a=")?.value == "")
    #expect(parse("a=b=c")?.value == "b=c")
  }

  @Test(arguments: ["", "a", ";;;;", "=b", " =b", ";a=b", "a;b=c", "=\u{5BB}=", "a=\u{1}b", "a=b\u{7F}", "a=b;\u{0}"])
  func `what is to be ignored`(text: String) {
    #expect(parse(text) == nil, "\(text.debugDescription)")
  }

  @Test func `bytes that are not UTF-8 are kept as they are`() throws {
    let cookie = try #require(SetCookie([0xFF, 0x3D, 0x61, 0xE9]))
    #expect(FieldOctets.octets(cookie.name) == [0xFF] && FieldOctets.octets(cookie.value) == [0x61, 0xE9])
    #expect(SetCookie(latin1: "a=\u{FF}")?.value == FieldOctets.text([0xFF]))
    #expect(SetCookie(latin1: "a=\u{C3}\u{A9}")?.value == "é")
    #expect(SetCookie(latin1: "a=\u{20AC}") == nil)
  }

  @Test func `attributes are read whatever their case, and the last one counts`() throws {
    let cookie = try #require(
      parse(
        "a=b; PATH=/x; path=/y ;DOMAIN=.Example.COM;domain=Sub.Example.com; secure ; HttpOnly=no; Max-Age=5;max-age=7"))
    #expect(cookie.path == "/y")
    #expect(cookie.domain == "sub.example.com")
    #expect(cookie.isSecure)
    #expect(cookie.isHTTPOnly)
    #expect(cookie.maxAge == 7)
  }

  @Test func `a path that begins with no slash asks for the default path, also after another`() {
    #expect(parse("a=b; Path=/x; Path=y")?.path == nil)
    #expect(parse("a=b; Path=/x; Path")?.path == nil)
    #expect(parse("a=b; Path=/x; Path=/")?.path == "/")
  }

  @Test func `an empty Domain is no Domain`() {
    #expect(parse("a=b; Domain=x.test; Domain=")?.domain == "x.test")
    #expect(parse("a=b; Domain=.")?.domain == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("-1", -1), ("-0", -1), ("60", 60), ("007", 7), ("9223372036854775807", Int64.max),
      ("9223372036854775808", Int64.max), ("99999999999999999999999999", Int64.max), ("-99999999999999999999999", -1),
    ] as [(String, Int64)])
  func `Max-Age is clamped (CK-07)`(text: String, age: Int64) {
    #expect(parse("a=b; Max-Age=\(text)")?.maxAge == age)
  }

  @Test(arguments: ["", "-", "+5", "5.0", "0x5", "5s", " ", "\"5\"", "5 5"])
  func `what is no Max-Age is ignored (CK-07)`(text: String) {
    #expect(parse("a=b; Max-Age=\(text)")?.maxAge == nil)
  }

  @Test func `an Expires that is no date is ignored`() {
    #expect(parse("a=b; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Expires=soon")?.expires == 1_623_233_894)
  }

  @Test func `too large a cookie is ignored, too large an attribute, too (CK-02)`() {
    let large = String(repeating: "x", count: 4095)
    #expect(parse("a=" + large) != nil)
    #expect(parse("ab=" + large) == nil)
    #expect(parse("a=b; Path=/" + String(repeating: "x", count: 1023))?.path?.count == 1024)
    #expect(parse("a=b; Path=/" + String(repeating: "x", count: 1024))?.path == nil)
  }

  @Test func `every byte in every place of a cookie`() {
    let text = Array("a=b; Domain=x.test; Path=/p; Max-Age=9; Expires=1 Jan 2030 00:00:00; Secure".utf8)
    var unsound: [[UInt8]] = []
    for place in text.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = text
        bytes[place] = byte
        if !isSound(SetCookie(bytes)) { unsound.append(bytes) }
      }
    }
    #expect(unsound == [])
  }

  @Test func `random bytes`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("=; ,ab/.-:09PathDomainMax-AgeExpires\t".utf8) + [0xD6, 0xBB, 0xFF, 0x00]
    var unsound: [[UInt8]] = []
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...60)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      if !isSound(SetCookie(bytes)) { unsound.append(bytes) }
    }
    #expect(unsound == [])
  }

  /// What holds for every cookie that was taken.
  private func isSound(_ cookie: SetCookie?) -> Bool {
    guard let cookie else { return true }
    let text = (cookie.name + cookie.value).utf8
    return !cookie.name.isEmpty && !text.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F || $0 == 0x3B }
      && cookie.path?.hasPrefix("/") != false && cookie.domain?.isEmpty != true
  }
}
