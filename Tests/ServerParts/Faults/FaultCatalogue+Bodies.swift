// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// H1-19 to H1-35: where a body ends.
extension FaultCatalogue {
  /// A response whose length is given by these lines, followed by the bytes of `hello` and the end.
  private static func lengths(
    _ id: String, _ variant: String, _ lines: String..., expect outcome: FaultOutcome
  ) -> FaultCase {
    let fields = lines.map { "Content-Length: \($0)\r\n" }.joined()
    return raw(
      id, variant, "Content-Length \(lines.joined(separator: " and then "))",
      "HTTP/1.1 200 OK\r\n\(fields)\r\nhello", then: .end(.fin), expect: outcome)
  }

  static let contentLengths: [FaultCase] = [
    lengths("H1-19", "list", "5, 5", expect: gotHello),
    lengths("H1-19", "repeated", "5", "5", expect: gotHello),
    lengths("H1-20", "list", "5, 3", expect: badMessage),
    lengths("H1-20", "two", "5", "3", expect: badMessage),
    lengths("H1-21", "negative", "-1", expect: badMessage),
    lengths("H1-21", "empty", "", expect: badMessage),
    lengths("H1-22", "plus", "+5", expect: badMessage),
    lengths("H1-22", "hex", "0x5", expect: badMessage),
    lengths("H1-22", "suffix", "5s", expect: badMessage),
    lengths("H1-22", "fraction", "5.0", expect: badMessage),
    lengths("H1-22", "23-digits", "99999999999999999999999", expect: badMessage),
    lengths("H1-22", "over-64-bits", "18446744073709551621", expect: badMessage),
    raw(
      "H1-23", "largest", "a Content-Length of 2^63-1, then the end after five bytes",
      "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhello", then: .end(.fin), expect: connectionLost,
      checks: [.growth(atMost: 4 << 20)]),
    short("fin", .end(.fin), connectionLost),
    short("rst", .end(.rst), connectionLost),
    FaultCase(
      "H1-24", "stall", "five of ten promised bytes, then silence",
      [FaultExchange(.script([.text(tenPromised), .stall]), trueBody: hello, outcomes: [timedOut])],
      idleTimeout: .seconds(1), deadline: .seconds(3)),
  ]

  private static let tenPromised = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"

  private static func short(_ variant: String, _ last: Step, _ outcome: FaultOutcome) -> FaultCase {
    raw("H1-24", variant, "five of ten promised bytes, then \(variant)", tenPromised, then: last, expect: outcome)
  }

  private static let wholeHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
  private static let stale = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nEVIL!"

  static let strayBytes: [FaultCase] = [
    raw(
      "H1-25", "extra", "more bytes than promised", wholeHello + "EXTRA", expect: gotHello,
      checks: [.connectionNotReused]),
    FaultCase(
      "H1-26", "at-once", "a second response nobody asked for, right behind the first",
      [FaultExchange(.script([.text(wholeHello + stale)]), trueBody: hello, outcomes: [gotHello]), second]),
    FaultCase(
      "H1-26", "while-idle", "a response nobody asked for, while the connection is idle",
      [
        FaultExchange(
          .script([.text(wholeHello), .delay(.milliseconds(50)), .text(stale)]), trueBody: hello,
          outcomes: [gotHello]),
        secondAfterPause,
      ]),
    FaultCase(
      "H1-27", "both", "Content-Length and chunks that disagree",
      [
        FaultExchange(
          .script([
            .text(
              "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
          ]), trueBody: hello, outcomes: [gotHello]), second,
      ], checks: [.connectionNotReused]),
    raw(
      "H1-28", "fin", "a body that ends with the connection", "HTTP/1.1 200 OK\r\n\r\nhello", then: .end(.fin),
      expect: gotHello),
    raw(
      "H1-28", "rst", "a body without a length, ended by a reset", "HTTP/1.1 200 OK\r\n\r\nhello", then: .end(.rst),
      expect: connectionLost),
  ]

  private static var secondAfterPause: FaultExchange {
    var exchange = second
    exchange.pauseBefore = .milliseconds(200)
    return exchange
  }

  /// A chunked response with these bytes where the chunks belong.
  private static func chunked(
    _ id: String, _ variant: String, _ summary: String, _ chunks: String, then last: Step? = nil,
    expect outcome: FaultOutcome, checks: [FaultCheck] = []
  ) -> FaultCase {
    raw(
      id, variant, summary, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, then: last,
      expect: outcome, checks: checks)
  }

  static let chunks: [FaultCase] = [
    chunked(
      "H1-29", "extensions", "chunk extensions", "5;a=b;c=\"d\"\r\nhello\r\n0;last\r\n\r\n", expect: gotHello),
    chunked(
      "H1-29", "trailers", "trailers, one of them a Set-Cookie",
      "5\r\nhello\r\n0\r\nX-Trailer: 1\r\nSet-Cookie: evil=1\r\n\r\n", expect: gotHello,
      checks: [.noField("X-Trailer"), .noCookie("evil")]),
    chunked(
      "H1-31", "not-hex", "a chunk size of xyz", "xyz\r\nhello\r\n0\r\n\r\n", then: .end(.fin), expect: badChunks),
    chunked(
      "H1-31", "negative", "a chunk size of -5", "-5\r\nhello\r\n0\r\n\r\n", then: .end(.fin), expect: badChunks),
    chunked(
      "H1-31", "17-digits", "a chunk size of 17 digits", "10000000000000005\r\nhello\r\n0\r\n\r\n", then: .end(.fin),
      expect: badChunks),
    chunked(
      "H1-31", "prefix", "a chunk size of 0x5", "0x5\r\nhello\r\n0\r\n\r\n", then: .end(.fin), expect: badMessage),
    chunked(
      "H1-31", "no-crlf", "no line end after a chunk", "5\r\nhelloXX0\r\n\r\n", then: .end(.fin), expect: badChunks),
    chunked(
      "H1-32", "largest", "a chunk of 2^63-1 bytes, then the end after five", "7fffffffffffffff\r\nhello",
      then: .end(.fin), expect: connectionLost, checks: [.growth(atMost: 4 << 20)]),
    flood(
      "H1-33", "extension", "a chunk extension without end",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", endless: "a", expect: endlessChunk,
      idleTimeout: endlessChunkTimeout, growth: 4 << 20),
    flood(
      "H1-33", "trailers", "trailers without end",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", endless: "X-T: 1\r\n",
      expect: tooLarge, growth: 4 << 20),
    raw(
      "H1-34", "twice", "chunked, chunked",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", then: .end(.fin),
      expect: badMessage),
    raw(
      "H1-34", "http10", "chunks in HTTP/1.0",
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", then: .end(.fin),
      expect: badMessage, gotHello),
    raw(
      "H1-35", "unknown", "a transfer coding nobody knows",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\nuryyb", then: .end(.fin), expect: badMessage),
  ]
}
