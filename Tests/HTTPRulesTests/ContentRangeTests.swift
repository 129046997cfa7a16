// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules

@Suite struct ContentRangeTests {
  @Test func `a part, with and without the length of the whole, and a length alone are read`() {
    #expect(ContentRange("bytes 0-0/1") == ContentRange(part: 0...0, total: 1))
    #expect(ContentRange("bytes 10-99/100") == ContentRange(part: 10...99, total: 100))
    #expect(ContentRange("bytes 10-99/*") == ContentRange(part: 10...99, total: nil))
    #expect(ContentRange("bytes */5") == ContentRange(part: nil, total: 5))
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes 5", "bytes 1-2", "bytes 1-2/", "bytes /3", "bytes */*", "bytes 2-1/5", "bytes 0-5/5",
    "bytes 0-1/2/3", "bytes 0-1-2/5", "bytes -1/5", "bytes 1-/5", "bytes +0-1/5", "bytes 0x0-1/5", "bytes  0-1/5",
    "bytes 0-1/5 ", "Bytes 0-1/5", "items 0-1/5", "bytes=0-1/5", "bytes 0-1,3-4/5", "bytes 0-9223372036854775807/*",
    "bytes 0-1/9223372036854775808", "bytes 99999999999999999999-1/5", "bytes ٠-١/٥",
  ])
  func `anything else is no range (DL-05)`(field: String) {
    #expect(ContentRange(field) == nil)
  }

  @Test func `the largest numbers do not trap, nor do random bytes (FZ-5)`() {
    #expect(ContentRange("bytes 0-9223372036854775806/9223372036854775807")?.part?.count == .max)
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("bytes 0123456789-/*,".unicodeScalars)
    for _ in 0..<20_000 {
      var text = Bool.random() ? "bytes " : ""
      for _ in 0..<Int.random(in: 0...24) { text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? " ") }
      if let range = ContentRange(text), let part = range.part { #expect(part.upperBound < range.total ?? .max) }
    }
  }
}

extension ContentRange {
  fileprivate init?(part: ClosedRange<Int64>?, total: Int64?) {
    self.init("bytes */0")
    (self.part, self.total) = (part, total)
  }
}

@Suite struct IMFDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 as Int64), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func `a date becomes seconds`(text: String, seconds: Int64) {
    #expect(IMFDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 nov 1994 08:49:37 GMT", "Xxx, 06 Nov 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:+7 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
    "Sün, 06 Nov 1994 08:49:37 GMT",
  ])
  func `another form is no date`(text: String) {
    #expect(IMFDate.seconds(text) == nil)
  }
}
