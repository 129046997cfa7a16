// SPDX-License-Identifier: Apache-2.0
public import LessonServer

/// One fault on the wire, as data: the client's request, the server's script, the ends that are allowed.
///
/// The ids are the rows of the fault catalogue (`H1-17`); a row has one or more variants. The same cases serve the
/// tests of both APIs and the fault lessons. After every case the next request of the same client, to `/ok`, must work.
public struct FaultCase: Sendable, CustomStringConvertible {
  /// The row, such as `H1-17`.
  public let id: String
  /// Which form of the fault, such as `stall`; unique within the row.
  public let variant: String
  /// One line for a person.
  public let summary: String
  /// The requests to send one after the other on one client, nearly always one.
  public let exchanges: [FaultExchange]
  /// The time-out to set for a silent connection: what a request usually has, unless the case is about it.
  public let idleTimeout: Duration
  /// The time-out to set for the whole transfer, where the case needs one.
  public let resourceTimeout: Duration?
  /// By when the case must have ended.
  public let deadline: Duration
  /// The conditions that must hold besides the outcome.
  public let checks: [FaultCheck]
  private let more: [Route]

  /// A case of one exchange or more; `more` are routes that it needs besides those of its exchanges.
  public init(
    _ id: String, _ variant: String, _ summary: String, _ exchanges: [FaultExchange],
    idleTimeout: Duration = .seconds(60), resourceTimeout: Duration? = nil, deadline: Duration = .seconds(5),
    checks: [FaultCheck] = [], more: [Route] = []
  ) {
    self.more = more
    self.id = id
    self.variant = variant
    self.summary = summary
    self.exchanges = exchanges
    self.idleTimeout = idleTimeout
    self.resourceTimeout = resourceTimeout
    self.deadline = deadline
    self.checks = checks
  }

  /// The path of an exchange, from 0: `/fault/H1-17/stall`, then `/fault/H1-17/stall/2`.
  public func path(_ exchange: Int = 0) -> String {
    "/fault/\(id)/\(variant)" + (exchange == 0 ? "" : "/\(exchange + 1)")
  }

  /// The routes that play the server's part.
  public var routes: [Route] {
    exchanges.indices.map { Route(path($0), summary: summary, answer: exchanges[$0].answer) } + more
  }

  /// Row, variant and summary in one line.
  public var description: String { "\(id) \(variant): \(summary)" }

  /// The same case with every byte of the server's sent by itself, which must change nothing (row H1-41); nil for
  /// floods, which have no end to wait for, and for answers that depend on the request.
  public var dripped: FaultCase? {
    let slow = exchanges.compactMap(\.dripped)
    guard slow.count == exchanges.count else { return nil }
    return FaultCase(
      id, variant + "-drip", summary + ", one byte at a time", slow, idleTimeout: idleTimeout,
      resourceTimeout: resourceTimeout, deadline: deadline, checks: checks, more: more)
  }
}

/// One request of a fault case, the server's part in it, and the ways in which it may end.
public struct FaultExchange: Sendable {
  /// The method to send.
  public var method: String
  /// How many bytes of `SeededBody(seed: 1)` to send as the body.
  public var bodySize: Int64
  /// True to send `Expect: 100-continue`.
  public var expectsContinue: Bool
  /// How long to wait before this exchange, for faults that strike while the connection is idle.
  public var pauseBefore: Duration?
  /// Every outcome that is right.
  public var outcomes: [FaultOutcome]
  /// The whole body as it was meant; what is delivered before an error must be a beginning of it.
  public var trueBody: [UInt8]
  let answer: Route.Answer

  /// An exchange.
  public init(
    _ answer: Route.Answer, method: String = "GET", bodySize: Int64 = 0, expectsContinue: Bool = false,
    pauseBefore: Duration? = nil, trueBody: [UInt8] = [], outcomes: [FaultOutcome]
  ) {
    self.answer = answer
    self.method = method
    self.bodySize = bodySize
    self.expectsContinue = expectsContinue
    self.pauseBefore = pauseBefore
    self.trueBody = trueBody
    self.outcomes = outcomes
  }

  fileprivate var dripped: FaultExchange? {
    guard case .script(let script) = answer, script.isSmall else { return nil }
    var copy = FaultExchange(
      .script(script.paced(.drip(bytes: 1, pause: .zero))), method: method, bodySize: bodySize,
      expectsContinue: expectsContinue, trueBody: trueBody, outcomes: outcomes)
    copy.pauseBefore = pauseBefore
    return copy
  }
}

/// A way in which an exchange may end.
public enum FaultOutcome: Sendable, Hashable {
  /// A whole response with this status and exactly these body bytes.
  case success(status: Int, body: [UInt8])
  /// An error of NSURLErrorDomain with one of these codes.
  case failure(codes: [Int])
}

/// A condition that must hold besides the outcome.
public enum FaultCheck: Sendable, Hashable {
  /// No cookie of this name is stored.
  case noCookie(String)
  /// The failing URL of the error, where it is not one of the case's own paths.
  case failingURL(String)
  /// The response shows no field of this name.
  case noField(String)
  /// The response shows this field with this value, its bytes read as Latin-1.
  case field(HeaderField)
  /// The next request comes over another connection.
  case connectionNotReused
  /// The process grows by no more than this many bytes.
  case growth(atMost: Int)
  /// By the server's log, no byte of the request's body was sent.
  case bodyNotSent
  /// By the server's log, some request of the case brought the whole body with its right checksum.
  case bodyArrived
}

extension Script {
  /// True if it sends little and has an end of its own or a stall.
  fileprivate var isSmall: Bool {
    steps.allSatisfy { step in
      switch step {
      case .bytes(let bytes): bytes.count <= 4096
      case .repeated, .seeded: false
      default: true
      }
    }
  }
}
