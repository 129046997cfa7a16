// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import TestSupport
import Testing

@testable import URLLoading

@Suite struct ResumeRecordTests {
  static func record(total: Int64? = 10_000) throws -> ResumeRecord {
    var request = URLRequest(url: try #require(URL(string: "https://example.com/a?b=<c>&d#e")))
    request.setValue("Basic <&>", forHTTPHeaderField: "Authorization")
    request.timeoutInterval = 12.5
    return ResumeRecord(
      request: request, received: 9000, total: total, validator: .entityTag("\"v1\""),
      fileName: "CFNetworkDownload_aZ09bY.tmp", fileNumber: .max)
  }

  @Test func `a record is read back as it was written, under Apple's keys (B.7)`() throws {
    for total in [10_000, nil] as [Int64?] {
      let record = try Self.record(total: total)
      let data = try #require(record.data)
      let again = try ResumeRecord(data: data)
      #expect(again == record)
      #expect(again.request.timeoutInterval == 12.5)
      #expect(again.request.value(forHTTPHeaderField: "Authorization") == "Basic <&>")
    }
    let data = try #require(try Self.record().data)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    #expect(list?["NSURLSessionDownloadURL"] as? String == "https://example.com/a?b=%3Cc%3E&d#e")
    #expect(list?["NSURLSessionResumeBytesReceived"] as? Int == 9000)
    #expect(list?["NSURLSessionResumeEntityTag"] as? String == "\"v1\"")
    #expect(list?["NSURLSessionResumeInfoTempFileName"] as? String == "CFNetworkDownload_aZ09bY.tmp")
  }

  @Test(arguments: [
    ("https://example.com", "file:///etc/passwd"), ("https://example.com", "ftp://example.com"),
    ("https://example.com", "https:///"), ("https://example.com/", "https://exa mple.com/"),
    ("<integer>9000</integer>", "<integer>-1</integer>"), ("<integer>9000</integer>", "<integer>0</integer>"),
    ("<integer>9000</integer>", "<integer>9223372036854775807</integer>"),
    ("<integer>9000</integer>", "<string>9000</string>"), ("<integer>10000</integer>", "<integer>8999</integer>"),
    ("<integer>101</integer>", "<integer>4</integer>"), ("CFNetworkDownload_aZ09bY.tmp", "/etc/passwd"),
    ("CFNetworkDownload_aZ09bY.tmp", "../../x"), ("CFNetworkDownload_aZ09bY.tmp", ""),
    ("CFNetworkDownload_aZ09bY.tmp", "CFNetworkDownload_a/../b.tmp"),
    ("CFNetworkDownload_aZ09bY.tmp", "CFNetworkDownload_é09bY.tmp"),
    ("CFNetworkDownload_aZ09bY.tmp", "CFNetworkDownload_aZ09bY.tmp2"), ("\"v1\"", "W/\"v1\""), ("\"v1\"", "v1"),
    ("\"v1\"", "\"v\"1\""), ("EntityTag", "ServerDownloadDate"), ("Authorization", "X: y"), ("Authorization", "Range"),
    ("Authorization", "If-Range"), ("12.5", "0"), ("12.5", "-1"), ("12.5", "1e999"), ("HTTPHeaderFields", "Fields"),
  ])
  func `a record that leads elsewhere is refused (DL-09, DL-10)`(part: String, other: String) throws {
    let text = String(decoding: try #require(try Self.record().data), as: UTF8.self)
    let damaged = text.replacingOccurrences(of: part, with: other)
    #expect(damaged != text)
    #expect(throws: ResumeRefusal.self) { try ResumeRecord(data: Data(damaged.utf8)) }
  }

  @Test func `a header field that XML cannot hold makes no record`() throws {
    var record = try Self.record()
    record.request.setValue("a\u{1}b", forHTTPHeaderField: "X-Field")
    #expect(record.data == nil)
  }

  @Test func `data cut or flipped at every bit is refused or harmless (DL-08)`() throws {
    let data = try #require(try Self.record().data)
    for end in 0..<(data.count - 1) {
      #expect(throws: ResumeRefusal.self) { try ResumeRecord(data: data.prefix(end)) }
    }
    for place in data.indices {
      for bit in TestMachine.isSanitized ? [0, 5] : Array(0..<8) {
        var damaged = data
        damaged[place] ^= 1 << bit
        guard let record = try? ResumeRecord(data: damaged) else { continue }
        #expect(PartialFile.isName(record.fileName))
        #expect(["http", "https"].contains(record.request.url?.scheme?.lowercased()))
        #expect(record.received > 0)
      }
    }
  }

  @Test func `random bytes, empty data and too much data are refused (DL-08)`() throws {
    for length in [0, 1, 7, 64, 1000] {
      for _ in 0..<200 {
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255) }
        #expect(throws: ResumeRefusal.self) { try ResumeRecord(data: Data(bytes)) }
      }
    }
    let data = try #require(try Self.record().data)
    #expect(throws: ResumeRefusal.self) {
      try ResumeRecord(data: data + Data(repeating: 32, count: ResumeRecord.lengthLimit))
    }
  }

  @Test func `at least one byte is asked for again, from the beginning of a block`() throws {
    var record = try Self.record()
    for (received, offset) in [(1, 0), (4096, 0), (4097, 4096), (8192, 4096), (10_000, 8192)] as [(Int64, Int64)] {
      record.received = received
      #expect(record.offset == offset)
    }
  }
}
