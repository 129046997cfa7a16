// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules
@testable import Transport

@Suite struct HeadJudgeTests {
  /// What the last line of a head led to. Lines are split after each LF, as libcurl hands them over.
  static func judge(_ text: [UInt8], method: String = "GET", speaksHTTP2: Bool = false) -> HeadJudge.Verdict {
    var judge = HeadJudge(requestMethod: method)
    judge.allowsHTTP2 = speaksHTTP2
    var verdict = HeadJudge.Verdict.more
    for line in text.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      let ended = line + [10]
      verdict = judge.line(ended.span)
      if case .fault = verdict { return verdict }
    }
    return verdict
  }

  static func judge(_ text: String, method: String = "GET", speaksHTTP2: Bool = false) -> HeadJudge.Verdict {
    judge(Array(text.utf8), method: method, speaksHTTP2: speaksHTTP2)
  }

  private func cause(_ text: String) -> TransferFailure.Cause? {
    guard case .fault(let failure) = Self.judge(text) else { return nil }
    return failure.cause
  }

  private func head(_ text: String, method: String = "GET") throws -> ResponseHead {
    guard case .final(let head) = Self.judge(text, method: method) else { throw NoHead() }
    return head
  }

  struct NoHead: Error {}

  @Test func `a plain head is read field by field`() throws {
    let head = try head("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \t\r\n\r\n")
    #expect(head.status == 200)
    #expect(head.version == "HTTP/1.1")
    #expect(head.fields == [HeaderField(name: "Content-Length", value: "5"), HeaderField(name: "X-A", value: "b")])
    #expect(head.contentLength == 5)
  }

  @Test(arguments: [
    "HTTP/1.1 999\r\n\r\n", "HTTP/1.1 599 \r\n\r\n", "HTTP/1.0 200 Fine\r\n\r\n", "HTTP/1.1 200 OK\n\n",
  ])
  func `unusual but clear status lines are accepted`(text: String) throws {
    _ = try head(text)
  }

  @Test(arguments: [
    "HTTP/2 200\r\n", "HTTP/9.9 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 abc OK\r\n",
    "HTTP/1.1 000 OK\r\n", "HTTP/1.1 099 OK\r\n", "HTTP/1.1  200 OK\r\n", "HTTP/1.1\r\n", "SSH-2.0-x\r\n", "\r\n",
    "HTTP/1.1 200\tOK\r\n", "HTTP/1.1 200 O\0K\r\n", "HTTP/1.1 200 a\rb\r\n",
  ]) func `a line that is no status line is malformed`(text: String) {
    #expect(cause(text) == .malformedResponse)
  }

  @Test func `HTTP 2 is a version only where it was negotiated`() {
    guard case .final = Self.judge("HTTP/2 200 \r\n\r\n", speaksHTTP2: true) else {
      Issue.record("refused over TLS")
      return
    }
  }

  @Test func `a switch of protocols nobody asked for is malformed`() {
    #expect(cause("HTTP/1.1 101 Switching Protocols\r\n") == .malformedResponse)
  }

  @Test(arguments: [
    "no colon", "Space : x", ": x", " leading: x", "Na\0me: x", "A: x\0y", "A: x\rSet-Cookie: a=b", "A\u{7f}: x",
    "(a): x",
  ]) func `a line that is no field is malformed`(line: String) {
    #expect(cause("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n") == .malformedResponse)
  }

  @Test func `folded lines are joined with one space`() throws {
    let head = try head("HTTP/1.1 200 OK\r\nX-A: one\r\n \t two\r\n\tthree\r\nX-B:\r\n four\r\n\r\n")
    #expect(head.value(of: "x-a") == "one two three")
    #expect(head.value(of: "X-B") == "four")
  }

  @Test func `bytes above 127 are kept as they are`() throws {
    let bytes = Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [0xe9, 0xff, 0xc3, 0x28] + Array("\r\n\r\n".utf8)
    guard case .final(let head) = Self.judge(bytes) else {
      Issue.record("refused")
      return
    }
    #expect(head.fields[0].value.unicodeScalars.map(\.value) == [0xe9, 0xff, 0xc3, 0x28])
  }

  @Test func `interim heads do not mix with the final one`() throws {
    var judge = HeadJudge(requestMethod: "GET")
    func feed(_ line: String) -> HeadJudge.Verdict { judge.line(Array(line.utf8).span) }
    _ = feed("HTTP/1.1 103 Early Hints\r\n")
    _ = feed("Link: a\r\n")
    guard case .interim(let interim) = feed("\r\n") else {
      Issue.record("no interim head")
      return
    }
    #expect(interim.status == 103)
    #expect(!judge.isFinalHeadComplete)
    _ = feed("HTTP/1.1 200 OK\r\n")
    guard case .final(let head) = feed("\r\n") else {
      Issue.record("no final head")
      return
    }
    #expect(head.fields.isEmpty)
    #expect(judge.isFinalHeadComplete)
  }

  @Test func `endless heads and trailers are too large`() {
    let line = "X: " + String(repeating: "a", count: 1000) + "\r\n"
    #expect(cause("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 300)) == .responseTooLarge)
    #expect(cause("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: line, count: 100)) == .responseTooLarge)
    #expect(cause(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000)) == .responseTooLarge)
  }

  @Test(arguments: [
    ("A: b\r\n", nil), ("A:\r\n", nil), ("A: b\r\n more\r\n", nil), ("A: b\nC: d\r\n\r\n", nil), ("\r\n", nil),
    ("bad\r\n", TransferFailure.Cause.malformedResponse), ("A: b\r\nbad\r\n", .malformedResponse),
    (": b\r\n", .malformedResponse), ("A b: c\r\n", .malformedResponse), ("A: b\u{0}\r\n", .malformedResponse),
    ("A: b\rC: d\r\n", .malformedResponse), ("A: b\r\n mo\u{0}re\r\n", .malformedResponse),
  ])
  func `trailers are field lines, one or several in a piece (RFC 9112, 7.1.2)`(
    piece: String, expected: TransferFailure.Cause?
  ) {
    var judge = HeadJudge(requestMethod: "GET")
    for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { _ = judge.line(Array(line.utf8).span) }
    var found: TransferFailure.Cause?
    if case .fault(let failure) = judge.line(Array(piece.utf8).span) { found = failure.cause }
    #expect(found == expected)
  }

  @Test func `an endless reason phrase is malformed`() {
    #expect(cause("HTTP/1.1 200 " + String(repeating: "a", count: 9000) + "\r\n") == .malformedResponse)
  }
}
