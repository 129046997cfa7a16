// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import URLLoading

@Suite struct DataURLTests {
  @Test(arguments: [
    ("data:,", "", "text/plain", "us-ascii" as String?), ("data:,a%20b%2Cc", "a b,c", "text/plain", "us-ascii"),
    ("data:text/html,<p>", "<p>", "text/html", nil), ("DATA:Text/HTML;charset=UTF-8,x", "x", "text/html", "utf-8"),
    ("data:;base64,aGk=", "hi", "text/plain", "us-ascii"), ("data:a/b;BASE64,aGk", "hi", "a/b", nil),
    ("data:a/b; base64 ,a%20Gk%3d", "hi", "a/b", nil), ("data:;charset=x,y", "y", "text/plain", "x"),
    ("data:;charset=a;charset=b;image/png,abc", "abc", "text/plain", "a"),
    ("data:,100%,%4,%zz", "100%,%4,%zz", "text/plain", "us-ascii"),
    ("data:,a#b", "a", "text/plain", "us-ascii"), ("data:a/b;base64,", "", "a/b", nil),
  ])
  func `media type, charset and body are read (RFC 2397)`(text: String, body: String, type: String, charset: String?) {
    let content = DataURL(text)
    #expect(content?.body == Data(body.utf8))
    #expect(content?.mediaType == type)
    #expect(content?.charset == charset)
  }

  @Test(arguments: [
    "", "data:", "data:abc", "dat:,x", "data:;base64,a", "data:;base64,a===", "data:;base64,??", "data:#,",
    "data:base64,aGk=", "data:a_b;charset=c,x", "data:a/b/c,x", "data:a/b/c%3bx=y,x", "data:/b,x", "data:a/,x",
    "data:a b/c,x",
  ])
  func `anything else is refused`(text: String) {
    #expect(DataURL(text) == nil)
  }

  @Test func `every byte can be written, and random text never ends the process`() {
    let all = (0...255).map { UInt8($0) }
    #expect(DataURL("data:," + all.map { String(format: "%%%02x", $0) }.joined())?.body == Data(all))
    #expect(DataURL("data:;base64," + Data(all).base64EncodedString())?.body == Data(all))
    let alphabet = Array("data:;,base64%0=aZ# ü")
    for _ in 0..<5000 {
      _ = DataURL("data:" + String((0..<Int.random(in: 0...20)).map { _ in alphabet.randomElement() ?? "," }))
    }
  }
}
