// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// CE-01 to CE-06: content codings. CE-05, the bomb, is a test of its own, and CE-07 one of downloads that resume.
extension FaultCatalogue {
  private static let undecodable = FaultOutcome.failure(codes: [-1015])

  private static func coded(
    _ id: String, _ variant: String, _ summary: String, _ coding: String, _ body: [UInt8], status: Int = 200,
    framing: Response.Framing = .length, expect outcome: FaultOutcome
  ) -> FaultCase {
    let response = Response(
      status, fields: [HeaderField("Content-Encoding", coding)], body: .bytes(body), framing: framing)
    let exchange = FaultExchange(.script(.response(response)), trueBody: hello + hello, outcomes: [outcome])
    return FaultCase(id, variant, summary, [exchange])
  }

  private static let gzipped = StoredCoding.gzip(hello)
  private static let brotli = StoredCoding.brotli(hello)
  private static let gotTwo = FaultOutcome.success(status: 200, body: hello + hello)
  private static let gotNothing = FaultOutcome.success(status: 200, body: [])

  private static func damaged(_ index: Int) -> [UInt8] {
    var bytes = gzipped
    bytes[index] ^= 0xff
    return bytes
  }

  /// Content codings, without the family of cuts.
  public static let codings: [FaultCase] = [
    coded("CE-01", "gzip", "gzip", "gzip", gzipped, expect: gotHello),
    coded(
      "CE-01", "x-gzip", "gzip under its old name, in chunks", "X-GZIP", gzipped, framing: .chunked(3), expect: gotHello
    ),
    coded("CE-01", "zlib", "deflate as a zlib stream", "deflate", StoredCoding.zlib(hello), expect: gotHello),
    coded("CE-01", "raw", "deflate as a bare stream", "deflate", StoredCoding.deflate(hello), expect: gotHello),
    coded(
      "CE-01", "twice", "gzip twice", "gzip, gzip", StoredCoding.gzip(gzipped), framing: .untilClose, expect: gotHello),
    coded("CE-01", "br", "Brotli", "br", brotli, expect: gotHello),
    coded("CE-01", "br-drip", "Brotli in chunks of a byte", "BR", brotli, framing: .chunked(1), expect: gotHello),
    coded("CE-01", "br-gzip", "gzip over Brotli", "br, gzip", StoredCoding.gzip(brotli), expect: gotHello),
    coded("CE-01", "identity", "identity", "identity", hello, expect: gotHello),
    coded("CE-03", "checksum", "a wrong checksum", "gzip", damaged(gzipped.count - 6), expect: undecodable),
    coded("CE-03", "length", "a wrong length", "gzip", damaged(gzipped.count - 1), expect: undecodable),
    coded("CE-03", "block", "a damaged block", "gzip", damaged(12), expect: undecodable),
    coded("CE-03", "plain", "no gzip at all", "gzip", Array("plain text".utf8), expect: undecodable),
    coded("CE-03", "br-plain", "no Brotli at all", "br", Array("plain text".utf8), expect: undecodable),
    coded("CE-03", "br-head", "a damaged head", "br", [0x11] + brotli.dropFirst(), expect: undecodable),
    coded("CE-04", "br-garbage", "other bytes behind the end", "br", brotli + [1, 2, 3], expect: gotHello),
    coded("CE-04", "garbage", "other bytes behind the end", "gzip", gzipped + [1, 2, 3], expect: gotHello),
    coded(
      "CE-04", "magic", "half of a member's first bytes behind the end", "gzip", gzipped + [0x1f], expect: gotHello),
    coded("CE-04", "two", "two members", "gzip", gzipped + gzipped, expect: gotTwo),
    coded(
      "CE-04", "two-drip", "two members in chunks of a byte", "gzip", gzipped + gzipped, framing: .chunked(1),
      expect: gotTwo),
    coded(
      "CE-06", "ten", "ten codings", Array(repeating: "gzip", count: 10).joined(separator: ", "), gzipped,
      expect: undecodable),
    coded("CE-06", "unknown", "a coding nobody knows: the body as it is", "x-none", hello, expect: gotHello),
    coded(
      "CE-06", "half-known", "a known coding over an unknown one: as it is", "x-none, gzip", hello,
      expect: gotHello),
    coded("CE-06", "br-empty", "nothing at all, said to be Brotli", "br", [], expect: gotNothing),
    coded("CE-06", "empty", "nothing at all, said to be gzip", "gzip", [], expect: gotNothing),
    coded("CE-06", "204", "gzip on a 204", "gzip", [], status: 204, expect: .success(status: 204, body: [])),
  ]

  /// CE-02: a gzip and a Brotli body that are cut at every byte, and framed as if that were right.
  public static var codingCuts: [FaultCase] {
    let framings: [(String, Response.Framing)] = [
      ("length", .length), ("chunked", .chunked(7)), ("close", .untilClose),
    ]
    return [("gzip", gzipped), ("br", brotli)].flatMap { coding, body in
      framings.flatMap { name, framing in
        (1..<body.count).map { count in
          coded(
            "CE-02", "\(coding)-\(name)-\(count)",
            "\(count) of \(body.count) bytes of \(coding), by \(name)",
            coding,
            Array(body[..<count]), framing: framing, expect: undecodable)
        }
      }
    }
  }
}
