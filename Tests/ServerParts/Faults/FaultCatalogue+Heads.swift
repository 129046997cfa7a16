// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// H1-01 to H1-16: no response, status lines, header fields.
extension FaultCatalogue {
  static let endings: [FaultCase] = [
    FaultCase(
      "H1-01", "fin", "accepts, then ends without a byte",
      [FaultExchange(.script([.end(.fin)]), outcomes: [connectionLost])]),
    FaultCase(
      "H1-02", "fresh", "resets a new connection before the first byte",
      [FaultExchange(.script([.end(.rst)]), outcomes: [connectionLost])]),
    FaultCase(
      "H1-02", "reused", "resets a connection that has served before; a retry on a new one is answered",
      [
        FaultExchange(.script(.response(.text("hello"))), trueBody: hello, outcomes: [gotHello]),
        FaultExchange(
          .function { $0.turn > 1 ? [.end(.rst)] : .response(.text("hello")) }, trueBody: hello, outcomes: [gotHello]),
      ]),
    raw(
      "H1-03", "binary", "binary garbage, then silence",
      [0x16, 0x03, 0x01, 0x00, 0xFF, 0x00, 0x0A, 0x0A, 0x80, 0x0D, 0x0A, 0x0D, 0x0A], then: .stall, [badMessage],
      deadline: .seconds(2)),
    raw(
      "H1-03", "ssh", "the banner of another protocol, then silence", "SSH-2.0-Lesson_1.0\r\n", then: .stall,
      expect: badMessage, deadline: .seconds(2)),
    raw(
      "H1-03", "http09", "a body without any head", "<html>hello</html>\n", then: .end(.fin), expect: badMessage,
      deadline: .seconds(2)),
  ]

  static let statusLines: [FaultCase] =
    [
      ("H1-04", "version", "HTTP/9.9 200 OK"), ("H1-04", "two-digits", "HTTP/1.1 20 OK"),
      ("H1-04", "four-digits", "HTTP/1.1 2000 OK"), ("H1-04", "letters", "HTTP/1.1 abc OK"),
      ("H1-04", "zeros", "HTTP/1.1 000 OK"), ("H1-05", "http2", "HTTP/2 200"),
    ].map { id, variant, line in
      raw(
        id, variant, "status line \"\(line)\"", "\(line)\r\nContent-Length: 5\r\n\r\nhello", then: .end(.fin),
        expect: badMessage)
    }
    + [
      ("H1-06", "999", "HTTP/1.1 999 Odd", 999), ("H1-06", "599", "HTTP/1.1 599 Odd", 599),
      ("H1-06", "no-reason", "HTTP/1.1 200 ", 200), ("H1-06", "no-space", "HTTP/1.1 200", 200),
    ].map { id, variant, line, status in
      raw(
        id, variant, "status line \"\(line)\"", "\(line)\r\nContent-Length: 5\r\n\r\nhello",
        expect: .success(status: status, body: hello))
    }
    + [
      raw(
        "H1-07", "lf-only", "lines end with LF alone", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
        expect: gotHello, badMessage),
      raw(
        "H1-08", "leading-crlf", "an empty line before the status line",
        "\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", expect: gotHello, badMessage),
      raw(
        "H1-09", "200k", "a reason phrase of 200 KB",
        "HTTP/1.1 200 " + String(repeating: "x", count: 200_000) + "\r\nContent-Length: 5\r\n\r\nhello",
        expect: badMessage, deadline: .seconds(1), checks: [.growth(atMost: 2 << 20)]),
      flood(
        "H1-09", "endless", "a reason phrase without end", "HTTP/1.1 200 ", endless: "x", expect: badMessage,
        deadline: .seconds(1), growth: 2 << 20),
    ]

  /// A response of five bytes with one more field line, which may be anything.
  private static func field(
    _ id: String, _ variant: String, _ summary: String, _ line: [UInt8], _ outcomes: [FaultOutcome],
    checks: [FaultCheck] = []
  ) -> FaultCase {
    let bytes =
      Array("HTTP/1.1 200 OK\r\nX-First: 1\r\n".utf8) + line + Array("\r\nContent-Length: 5\r\n\r\nhello".utf8)
    return raw(id, variant, summary, bytes, outcomes, checks: checks)
  }

  static let fieldSyntax: [FaultCase] = [
    field("H1-10", "name", "NUL in a field name", Array("X-A\0B: 1".utf8), [badMessage]),
    field("H1-10", "value", "NUL in a field value", Array("X-A: 1\u{0}2".utf8), [badMessage]),
    field(
      "H1-11", "bare-cr", "a bare CR hides a Set-Cookie in a value", Array("X-A: b\rSet-Cookie: evil=1".utf8),
      [badMessage, gotHello], checks: [.noCookie("evil")]),
    field("H1-12", "no-colon", "a line without a colon", Array("no colon here".utf8), [badMessage]),
    raw(
      "H1-12", "space-before-colon", "a space between Content-Length and its colon",
      "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello", then: .end(.fin), expect: badMessage, gotHello),
    field("H1-12", "no-name", "a field without a name", Array(": v".utf8), [badMessage]),
    raw(
      "H1-12", "leading-space", "the first field line begins with a space",
      "HTTP/1.1 200 OK\r\n X-A: 1\r\nContent-Length: 5\r\n\r\nhello", then: .end(.fin), expect: badMessage),
    field(
      "H1-13", "obs-fold", "a value folded over two lines", Array("X-Fold: a\r\n   b".utf8), [gotHello],
      checks: [.field(HeaderField("X-Fold", "a b"))]),
    field(
      "H1-14", "latin1", "a value in Latin-1", Array("X-Text: caf".utf8) + [0xE9], [gotHello],
      checks: [.field(HeaderField("X-Text", "caf\u{E9}"))]),
    field(
      "H1-14", "utf8", "a value in UTF-8", Array("X-Text: caf\u{E9}".utf8), [gotHello],
      checks: [.field(HeaderField("X-Text", "caf\u{C3}\u{A9}"))]),
    field(
      "H1-14", "invalid-utf8", "a value in no encoding", Array("X-Text: ".utf8) + [0xC3, 0x28, 0xFF], [gotHello],
      checks: [.field(HeaderField("X-Text", "\u{C3}(\u{FF}"))]),
  ]

  /// A head with so many fields of about so many bytes.
  private static func fields(_ count: Int, of size: Int) -> String {
    let value = String(repeating: "v", count: size)
    return "HTTP/1.1 200 OK\r\n" + (0..<count).map { "X-\($0): \(value)\r\n" }.joined()
      + "Content-Length: 5\r\n\r\nhello"
  }

  private static let refused = FaultOutcome.failure(codes: [-1103, -1017])

  static let fieldSizes: [FaultCase] = [
    // A line of 100 KB is below the bound that libcurl itself keeps, so a client may also take it.
    raw(
      "H1-15", "line-100k", "a field line of 100 KB", fields(1, of: 100_000), expect: refused, gotHello,
      checks: [.growth(atMost: 4 << 20)]),
    raw(
      "H1-15", "line-200k", "a field line of 200 KB", fields(1, of: 200_000), expect: refused,
      checks: [.growth(atMost: 4 << 20)]),
    raw(
      "H1-15", "total-400k", "400 KB of fields", fields(40, of: 10_000), expect: refused,
      checks: [.growth(atMost: 4 << 20)]),
    flood(
      "H1-15", "endless", "fields without end", "HTTP/1.1 200 OK\r\n", endless: "X-A: 1\r\n", expect: refused,
      growth: 4 << 20),
    raw(
      "H1-16", "4000", "4,000 small fields", fields(4000, of: 1), expect: gotHello, tooLarge, deadline: .seconds(1)),
    raw(
      "H1-16", "20000", "20,000 small fields", fields(20_000, of: 1), expect: gotHello, tooLarge,
      deadline: .seconds(1)),
  ]
}
