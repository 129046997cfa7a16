// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

/// CA-05: a stored response as a file, with every byte of it, and the lines of the index.
@Suite struct ResponseFileTests {
  private static func stored(_ body: String = "the body", userInfo: Data? = Data("{\"a\":[1]}".utf8)) throws
    -> StoredResponse
  {
    let url = try #require(URL(string: "http://x.test/a?b=\u{E4}"))
    let selectors: [String: UInt64] = ["accept": 7, "x": .max]
    return StoredResponse(
      StoredHead(
        key: CacheKey(url), url: url, status: 200,
        fields: [HeaderField(name: "A", value: "1"), HeaderField(name: "A", value: "\u{FC}\r\n, 2")], isDecoded: true,
        provenance: CacheRules.Provenance(requested: 1, received: 2, selectors: selectors), selectors: selectors,
        userInfo: userInfo), Data(body.utf8))
  }

  @Test func `it comes back as it was`() throws {
    for stored in [try Self.stored(), try Self.stored("", userInfo: nil)] {
      let found = try #require(ResponseFile.response(ResponseFile.bytes(stored)))
      #expect(found.head == stored.head && found.body == stored.body)
    }
    let cached = try #require(ResponseFile.response(ResponseFile.bytes(try Self.stored()))?.cached)
    #expect(cached.userInfo?["a"] as? [Int] == [1] && (cached.response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `cut or changed at any byte it is none`() throws {
    let whole = ResponseFile.bytes(try Self.stored())
    for place in whole.indices {
      #expect(ResponseFile.response(Array(whole[..<place])) == nil, "cut at \(place)")
      for change: UInt8 in [1, 0x80, 0xFF] {
        var changed = whole
        changed[place] ^= change
        #expect(ResponseFile.response(changed) == nil, "\(place) ^ \(change)")
      }
    }
    #expect(ResponseFile.response(whole + [0]) == nil)
  }

  @Test func `lengths and numbers that cannot be are none, whoever sealed them`() {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func texts(_ texts: [String], count: UInt32? = nil) -> [UInt8] {
      number(count ?? UInt32(texts.count)) + texts.flatMap { number(UInt32($0.utf8.count)) + Array($0.utf8) }
    }
    let right = ["http://x/", "http://x/", "200", "0", "1", "2", "", "0"]
    #expect(ResponseFile.response(ResponseFile.sealed(texts(right)))?.head.status == 200)
    let short = texts(Array(right.dropLast()))
    var wrong = [number(.max), number(8), texts(right, count: 9), texts(right, count: 7), short, []]
    for (place, text) in [(2, "-1"), (2, "1000"), (2, "x"), (7, "1"), (7, "-1"), (7, "9223372036854775807"), (7, "")] {
      var changed = right
      changed[place] = text
      wrong.append(texts(changed))
    }
    wrong.append(texts(right + ["odd"]))
    for bytes in wrong { #expect(ResponseFile.response(ResponseFile.sealed(bytes)) == nil) }
  }

  @Test func `a line of the index comes back as it was, and a changed or cut one does not`() {
    let files = [CacheFile(0x1f, [:]), CacheFile(.max, ["accept": 1, "x-y": .max])]
    for record in files.flatMap({ [CacheLogFormat.Record.stored($0, size: 12, stored: 34), .used($0), .gone($0)] }) {
      let line = CacheLog.line(record).dropLast()
      #expect(CacheLog.record(line) == record)
      for count in 0..<line.count { #expect(CacheLog.record(line.prefix(count)) == nil) }
      for place in line.indices {
        for bit in 0..<8 {
          var changed = line
          changed[place] ^= 1 << bit
          #expect(CacheLog.record(changed) == nil, "\(place) ^ \(bit)")
        }
      }
    }
  }

  @Test(arguments: [
    "", "+", "+ 0", "+ 000000000000001f 1", "+ 000000000000001f 1 x", "+ 000000000000001F 1 2", "* 000000000000001f",
    "+ 000000000000001f 9999999999999999 1", "+ 000000000000001f 99999999999 1", "- 000000000000001f-000000000000001f",
    "- 000000000000001f a=1",
    "- ../../../../etc/passwd", "- 000000000000001f a=000000000000001f", "++ 000000000000001f 1 2",
  ])
  func `other lines say nothing`(text: String) { #expect(CacheLogFormat.record(Array(text.utf8)[...]) == nil) }
}
