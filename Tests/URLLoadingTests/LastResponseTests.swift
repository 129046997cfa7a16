// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

@Suite struct LastResponseTests {
  private let memo = LastResponse()
  private let url = URL(filePath: "/one")
  private let head = ResponseHead(
    status: 200, version: "HTTP/1.1", fields: [HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8")],
    contentLength: 5, decodedCodings: [])

  @Test func `the same head from the same URL is the same response`() throws {
    let first = try #require(memo.response(for: head, from: url))
    #expect(memo.response(for: head, from: url) === first)
    #expect(first.mimeType == "text/plain")
    #expect(first.textEncodingName == "utf-8")
  }

  @Test func `another URL or another head is another response, however little differs`() throws {
    let first = try #require(memo.response(for: head, from: url))
    let elsewhere = URL(filePath: "/two")
    #expect(try #require(memo.response(for: head, from: elsewhere)).url == elsewhere)
    var changed = head
    changed.status = 201
    #expect(try #require(memo.response(for: changed, from: url)).statusCode == 201)
    changed = head
    changed.fields.append(HeaderField(name: "X-Number", value: "2"))
    #expect(try #require(memo.response(for: changed, from: url)).value(forHTTPHeaderField: "X-Number") == "2")
    #expect(memo.response(for: head, from: url) !== first)
  }

  private func answer(_ body: String, age: Int) throws -> LoadCache.Answer {
    let fields = ["Content-Type": "text/plain", "Content-Length": "5"]
    let stored = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
    let found = StoredResponse(
      CachedURLResponse(response: stored, data: Data(body.utf8)), CacheKey(url), fields: .none)
    return LoadCache.Answer(found: found, fields: fields.merging(["Age": "\(age)"]) { $1 })
  }

  @Test func `a stored response is the same response until its age, its coding or its URL is another`() throws {
    let first = try #require(memo.response(for: try answer("12345", age: 1), from: url))
    #expect(memo.response(for: try answer("12345", age: 1), from: url) === first)
    #expect(first.expectedContentLength == 5)
    #expect(try #require(memo.response(for: try answer("decoded", age: 1), from: url)).expectedContentLength == -1)
    let older = try #require(memo.response(for: try answer("12345", age: 2), from: url))
    #expect(older.value(forHTTPHeaderField: "Age") == "2")
    let elsewhere = URL(filePath: "/two")
    #expect(try #require(memo.response(for: try answer("12345", age: 2), from: elsewhere)).url == elsewhere)
  }
}
