// SPDX-License-Identifier: Apache-2.0
public import LessonServer

/// All fault cases there are, by protocol.
///
/// Where a row of the catalogue allows two answers, both stand in the outcomes. H1-40 (bad input from the program) is
/// missing because no server is needed for it; H1-17, H1-18 and H1-30 are families made by `cuts`; H1-41 is
/// `FaultCase.dripped` of every other case.
public enum FaultCatalogue {
  /// The faults of HTTP/1.1 framing, without the families of cuts.
  public static let http1: [FaultCase] =
    endings + statusLines + fieldSyntax + fieldSizes + contentLengths + strayBytes + chunks + interim + bodiless
    + uploads

  /// The routes of all these cases, for one server that plays them all.
  public static func routes(of cases: [FaultCase]) -> [Route] {
    cases.flatMap(\.routes)
  }

  // MARK: - Making cases

  static let hello = Array("hello".utf8)
  static let badMessage = FaultOutcome.failure(codes: [-1017])
  static let connectionLost = FaultOutcome.failure(codes: [-1005])
  static let timedOut = FaultOutcome.failure(codes: [-1001])
  static let tooLarge = FaultOutcome.failure(codes: [-1103])
  static let gotHello = FaultOutcome.success(status: 200, body: hello)

  /// A case in which the server sends these bytes, then does this; the true body is `hello`.
  static func raw(
    _ id: String, _ variant: String, _ summary: String, _ text: String, then last: Step? = nil,
    method: String = "GET", expect outcomes: FaultOutcome..., deadline: Duration = .seconds(5),
    checks: [FaultCheck] = []
  ) -> FaultCase {
    raw(
      id, variant, summary, Array(text.utf8), then: last, method: method, outcomes, deadline: deadline, checks: checks)
  }

  static func raw(
    _ id: String, _ variant: String, _ summary: String, _ bytes: [UInt8], then last: Step? = nil,
    method: String = "GET", _ outcomes: [FaultOutcome], deadline: Duration = .seconds(5), checks: [FaultCheck] = []
  ) -> FaultCase {
    let script = Script([.bytes(bytes)] + (last.map { [$0] } ?? []))
    let exchange = FaultExchange(.script(script), method: method, trueBody: hello, outcomes: outcomes)
    return FaultCase(id, variant, summary, [exchange], deadline: deadline, checks: checks)
  }

  /// A flood after a beginning: it never ends by itself.
  static func flood(
    _ id: String, _ variant: String, _ summary: String, _ beginning: String, endless: String,
    expect outcomes: FaultOutcome..., idleTimeout: Duration = .seconds(60), deadline: Duration = .seconds(5),
    growth: Int
  ) -> FaultCase {
    let script: Script = [.text(beginning), .repeated(Array(endless.utf8), times: nil)]
    return FaultCase(
      id, variant, summary, [FaultExchange(.script(script), trueBody: hello, outcomes: outcomes)],
      idleTimeout: idleTimeout, deadline: deadline, checks: [.growth(atMost: growth)])
  }

  /// A second exchange that shows whether the first one left the connection in order.
  static let second = FaultExchange(
    .script(.response(.text("second"))), trueBody: Array("second".utf8),
    outcomes: [.success(status: 200, body: Array("second".utf8))])
}
