// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// H1-36 to H1-43: interim responses, responses without a body, uploads.
extension FaultCatalogue {
  private static let wholeHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
  private static let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Early: 1\r\nSet-Cookie: early=1\r\n\r\n"

  static let interim: [FaultCase] = [
    raw(
      "H1-36", "ten-100", "ten 100 Continue nobody asked for",
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 10) + wholeHello, expect: gotHello),
    raw(
      "H1-36", "103", "a 103 with fields and a cookie", hints + wholeHello, expect: gotHello,
      checks: [.noField("X-Early"), .noCookie("early")]),
    raw("H1-36", "102", "a 102 first", "HTTP/1.1 102 Processing\r\n\r\n" + wholeHello, expect: gotHello),
    flood(
      "H1-37", "fast", "interim responses without end", "", endless: hints, expect: tooLarge, growth: 4 << 20),
    FaultCase(
      "H1-37", "slow", "an interim response every 0.3 s, without end",
      [
        FaultExchange(
          .script([
            .pace(.drip(bytes: hints.utf8.count, pause: .milliseconds(300))), .repeated(Array(hints.utf8), times: nil),
          ]), trueBody: hello, outcomes: [.failure(codes: [-1001, -1103])])
        // The limit holds for the next request, too, which needs its time on a busy machine.
      ], resourceTimeout: .seconds(6), deadline: .seconds(8)),
    raw(
      "H1-38", "101", "a switch of protocols nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: lesson\r\n\r\n", then: .stall,
      expect: badMessage),
  ]

  /// A response that has no body by its nature, sent with one all the same, then a request that must not suffer.
  private static func bodiless(
    _ variant: String, _ status: String, method: String = "GET", _ outcomes: FaultOutcome...
  ) -> FaultCase {
    let script: Script = [.text("HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\nhello")]
    let exchange = FaultExchange(.script(script), method: method, trueBody: hello, outcomes: outcomes)
    return FaultCase("H1-39", variant, "\(method) answered by \(status) with five body bytes", [exchange, second])
  }

  static let bodiless: [FaultCase] = [
    bodiless("204", "204 No Content", .success(status: 204, body: [])),
    bodiless("304", "304 Not Modified", .success(status: 304, body: [])),
    // RFC 9110 section 15.3.6 forbids the content, RFC 9112 section 6.3 still frames it: both readings stand.
    bodiless("205", "205 Reset Content", .success(status: 205, body: []), .success(status: 205, body: hello)),
    bodiless("head", "200 OK", method: "HEAD", .success(status: 200, body: [])),
  ]

  /// A PUT with `Expect: 100-continue` and 1,000 bytes.
  private static func upload(
    _ variant: String, _ summary: String, _ answer: Route.Answer, _ outcomes: FaultOutcome..., check: FaultCheck? = nil
  ) -> FaultCase {
    let exchange = FaultExchange(
      answer, method: "PUT", bodySize: 1000, expectsContinue: true, trueBody: hello, outcomes: outcomes)
    return FaultCase("H1-42", variant, summary, [exchange], checks: check.map { [$0] } ?? [])
  }

  private static func late(_ steps: [Step]) -> Route.Answer {
    .script(Script(steps + [.readBody, .response(.text("hello"))], readsBodyFirst: false))
  }

  private static func refusal(_ status: Int, then last: Step = .end(.fin)) -> Script {
    let response = Response(status, fields: [HeaderField("Connection", "close")], body: .bytes(hello))
    return Script([.response(response), last], readsBodyFirst: false)
  }

  static let uploads: [FaultCase] = [
    upload("no-100", "no 100 ever comes", late([]), gotHello, check: .bodyArrived),
    upload(
      "late-100", "the 100 comes after 1.5 s",
      late([.delay(.milliseconds(1500)), .text("HTTP/1.1 100 Continue\r\n\r\n")]),
      gotHello, check: .bodyArrived),
    upload(
      "417", "417, until the client does without Expect",
      .early { $0.head["Expect"] == nil ? .response(.text("hello")) : refusal(417) }, gotHello,
      .success(status: 417, body: hello)),
    upload(
      "early-403", "the final status comes instead of the 100", .script(refusal(403, then: .readBody)),
      .success(status: 403, body: hello), check: .bodyNotSent),
    FaultCase(
      "H1-43", "early-413", "413 while the client still uploads 100 MB, then the end",
      [
        FaultExchange(
          .script(refusal(413)), method: "POST", bodySize: 100_000_000, trueBody: hello,
          outcomes: [.success(status: 413, body: hello)])
      ]),
  ]
}
