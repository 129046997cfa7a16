// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

@Suite struct ResumeRulesTests {
  private static func head(
    _ status: Int, _ fields: [(String, String)], length: Int64? = nil, codings: [ContentCoding] = []
  ) -> ResponseHead {
    ResponseHead(
      status: status, version: "HTTP/1.1", fields: fields.map { HeaderField(name: $0.0, value: $0.1) },
      contentLength: length, decodedCodings: codings)
  }

  private static let tag = ("ETag", "\"v1\"")
  private static let ranges = ("Accept-Ranges", "bytes")
  private static let old = ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
  private static let now: Int64 = 784_111_777 + 10

  private static func offer(
    _ head: ResponseHead, method: String = "GET", range: String? = nil
  ) throws -> ResumeRules.Offer? {
    var request = try ResumeRecordTests.record().request
    request.httpMethod = method
    request.setValue(range, forHTTPHeaderField: "Range")
    return ResumeRules.offer(of: head, to: request, now: now)
  }

  @Test func `a GET whose 200 has a strong validator and accepts ranges can be resumed (B.7)`() throws {
    let tagged = Self.head(200, [Self.tag, Self.ranges, Self.old], length: 5)
    #expect(try Self.offer(tagged) == .init(validator: .entityTag("\"v1\""), total: 5))
    let dated = Self.head(200, [Self.old, ("accept-ranges", "none, Bytes")])
    #expect(try Self.offer(dated) == .init(validator: .modified(Self.old.1), total: nil))
  }

  @Test func `any other response cannot (B.7, DL-03)`() throws {
    #expect(try Self.offer(Self.head(200, [Self.tag])) == nil)
    #expect(try Self.offer(Self.head(200, [Self.tag, ("Accept-Ranges", "none")])) == nil)
    #expect(try Self.offer(Self.head(200, [Self.ranges])) == nil)
    #expect(try Self.offer(Self.head(200, [("ETag", "W/\"v1\""), Self.ranges, Self.old])) == nil)
    #expect(try Self.offer(Self.head(404, [Self.tag, Self.ranges])) == nil)
    #expect(try Self.offer(Self.head(200, [Self.tag, Self.ranges], codings: [.gzip])) == nil)
    let whole = Self.head(200, [Self.tag, Self.ranges])
    #expect(try Self.offer(whole, method: "POST") == nil)
    #expect(try Self.offer(whole, range: "bytes=5-") == nil)
  }

  @Test func `a date that is as young as the response is no strong validator (RFC 9110, 8.8.2.2)`() {
    func validator(_ date: String?, now: Int64) -> ResumeValidator? {
      ResumeValidator(entityTag: nil, modified: Self.old.1, date: date, now: now)
    }
    #expect(validator(Self.old.1, now: .max) == nil)
    #expect(validator("Sun, 06 Nov 1994 08:49:38 GMT", now: 0) == .modified(Self.old.1))
    #expect(validator(nil, now: 784_111_777) == nil)
    #expect(validator("yesterday", now: .max) == nil)
  }

  @Test func `the request for the rest names place and version, and wants no coding`() throws {
    let record = try ResumeRecordTests.record()
    let request = ResumeRules.request(record.request, for: record)
    #expect(request.value(forHTTPHeaderField: "Range") == "bytes=8192-")
    #expect(request.value(forHTTPHeaderField: "If-Range") == "\"v1\"")
    #expect(request.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
  }

  private static func outcome(
    _ status: Int, _ fields: [(String, String)], length: Int64? = nil, total: Int64? = 10_000
  ) throws -> ResumeRules.Outcome {
    ResumeRules.outcome(of: head(status, fields, length: length), for: try ResumeRecordTests.record(total: total))
  }

  @Test func `a 206 with just the rest of just that version goes on (B.7)`() throws {
    #expect(
      try Self.outcome(206, [Self.tag, ("Content-Range", "bytes 8192-9999/10000")], length: 1808)
        == .continues(total: 10_000))
    #expect(try Self.outcome(206, [Self.tag, ("Content-Range", "bytes 8192-9999/*")]) == .continues(total: 10_000))
    let unknown = try Self.outcome(206, [Self.tag, ("Content-Range", "bytes 8192-9100/9101")], total: nil)
    #expect(unknown == .continues(total: 9101))
  }

  @Test(arguments: [
    "bytes 0-9999/10000", "bytes 8193-9999/10000", "bytes 8192-9998/10000", "bytes 8192-9999/10001",
    "bytes 8192-10000/10001", "bytes */10000", "bytes 9999-8192/10000", "items 8192-9999/10000", "",
  ])
  func `any other 206 is dropped, and the whole is asked for (DL-05)`(range: String) throws {
    #expect(try Self.outcome(206, [Self.tag, ("Content-Range", range)]) == .asksForAll)
  }

  @Test func `nor does a 206 of another version, length or coding go on (DL-02, DL-05, DL-07)`() throws {
    let range = ("Content-Range", "bytes 8192-9999/10000")
    #expect(try Self.outcome(206, [range]) == .asksForAll)
    #expect(try Self.outcome(206, [("ETag", "\"v2\""), range]) == .asksForAll)
    #expect(try Self.outcome(206, [("ETag", "W/\"v1\""), range]) == .asksForAll)
    #expect(try Self.outcome(206, [Self.tag, range], length: 1807) == .asksForAll)
    #expect(try Self.outcome(206, [Self.tag, range, ("Content-Encoding", "gzip")]) == .asksForAll)
    #expect(try Self.outcome(206, [Self.tag, ("Content-Type", "multipart/byteranges")]) == .asksForAll)
    #expect(try Self.outcome(206, [Self.tag, ("Content-Range", "bytes 8192-9100/*")], total: nil) == .asksForAll)
  }

  @Test func `a 200 or an error's page starts anew (DL-04)`() throws {
    #expect(try Self.outcome(200, [Self.tag]) == .startsAnew)
    #expect(try Self.outcome(404, []) == .startsAnew)
    #expect(try Self.outcome(200, [("Content-Encoding", "gzip")]) == .asksForAll)
  }

  @Test func `a 416 asks for the whole (DL-06)`() throws {
    #expect(try Self.outcome(416, [("Content-Range", "bytes */9000")], total: nil) == .asksForAll)
    #expect(try Self.outcome(416, []) == .asksForAll)
  }
}
