// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules
@testable import Transport

@Suite struct MessageFramingTests {
  private func framing(
    _ fields: (String, String)..., status: Int = 200, version: String = "HTTP/1.1", method: String = "GET"
  ) throws(TransferFailure) -> MessageFraming {
    try MessageFraming(
      status: status, version: version, fields: fields.map { HeaderField(name: $0.0, value: $0.1) },
      requestMethod: method)
  }

  @Test(arguments: ["5", "05", "5, 5", " 5 ,\t5"]) func `equal lengths count as one`(value: String) throws {
    #expect(try framing(("content-length", value)).contentLength == 5)
    #expect(try framing(("Content-Length", value), ("CONTENT-LENGTH", "5")).contentLength == 5)
  }

  @Test func `the greatest length of 63 bits is one`() throws {
    #expect(try framing(("Content-Length", "9223372036854775807")).contentLength == .max)
  }

  @Test(arguments: [
    "", " ", "-1", "+5", "0x5", "5s", "5.0", "5 5", "42, 30", "5,", ",5", "9223372036854775808", "18446744073709551621",
    "12345678901234567890123",
  ]) func `what is no clear length is malformed`(value: String) {
    #expect(throws: TransferFailure.self) { try framing(("Content-Length", value)) }
  }

  @Test func `two lengths that differ are malformed`() {
    #expect(throws: TransferFailure.self) { try framing(("Content-Length", "5"), ("Content-Length", "6")) }
  }

  @Test func `chunks win over a length and make it ambiguous`() throws {
    let framing = try framing(("Content-Length", "5"), ("Transfer-Encoding", "Chunked"))
    #expect(framing.isChunked)
    #expect(framing.isAmbiguous)
    #expect(framing.contentLength == nil)
  }

  @Test(arguments: ["chunked, chunked", "gzip, chunked", "identity", "x", ""])
  func `other transfer codings are malformed`(value: String) {
    #expect(throws: TransferFailure.self) { try framing(("Transfer-Encoding", value)) }
  }

  @Test func `chunks twice or in an old version are malformed`() {
    #expect(throws: TransferFailure.self) {
      try framing(("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked"))
    }
    #expect(throws: TransferFailure.self) { try framing(("Transfer-Encoding", "chunked"), version: "HTTP/1.0") }
  }

  @Test(arguments: [204, 205, 304]) func `some statuses have no body whatever they say`(status: Int) throws {
    #expect(try framing(("Content-Length", "5"), status: status).contentLength == 0)
  }

  @Test func `a HEAD keeps the length it would have`() throws {
    #expect(try framing(("Content-Length", "5"), method: "HEAD").contentLength == 5)
  }

  @Test func `known codings are listed in the order of application`() throws {
    #expect(try framing(("Content-Encoding", "x-gzip, Deflate")).codings == [.gzip, .deflate])
    #expect(try framing(("Content-Encoding", "gzip, br")).codings == [.gzip, .brotli])
    #expect(try framing(("Content-Encoding", "gzip, zstd")).codings.isEmpty)
    #expect(try framing(("Content-Encoding", "identity")).codings.isEmpty)
    #expect(try framing(("Content-Encoding", "gzip"), method: "HEAD").codings.isEmpty)
  }

  @Test func `too many codings are refused`() {
    #expect(throws: TransferFailure.self) { try framing(("Content-Encoding", "gzip, gzip, gzip, gzip, gzip")) }
  }
}
