// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// RD-01 to RD-11: redirects. What delegates answer (RD-07, RD-10) and the change from https to http (RD-08) are tests
/// of each API.
extension FaultCatalogue {
  private static let tooMany = FaultOutcome.failure(codes: [-1007])
  private static let unsupported = FaultOutcome.failure(codes: [-1002])
  private static let unusable = FaultOutcome.failure(codes: [-1010])

  /// Redirects of every kind.
  public static let redirects: [FaultCase] = loops + schemes + final + broken + targets + methods + bodies + secrets

  private static func answer(_ status: Int, _ location: String?, body: [UInt8] = []) -> Script {
    .response(Response(status, fields: location.map { [HeaderField("Location", $0)] } ?? [], body: .bytes(body)))
  }

  private static func redirect(
    _ id: String, _ variant: String, _ summary: String, _ script: Script, method: String = "GET", bodySize: Int64 = 0,
    expect outcomes: FaultOutcome..., checks: [FaultCheck] = [], more: [Route] = []
  ) -> FaultCase {
    let exchange = FaultExchange(
      .script(script), method: method, bodySize: bodySize, trueBody: hello, outcomes: outcomes)
    return FaultCase(id, variant, summary, [exchange], checks: checks, more: more)
  }

  /// Redirects by counting up, `hops` times.
  private static func chain(_ hops: Int, expect outcome: FaultOutcome) -> FaultCase {
    let path = "/fault/RD-01/\(hops)-hops"
    let exchange = FaultExchange(
      .function { request in
        let number = Int(request[query: "n"] ?? "0") ?? 0
        return number == hops ? .response(.text("hello")) : answer(302, "\(path)?n=\(number + 1)")
      }, trueBody: hello, outcomes: [outcome])
    return FaultCase("RD-01", "\(hops)-hops", "\(hops) redirects, then a body", [exchange])
  }

  private static let loops: [FaultCase] = [
    redirect("RD-01", "self", "to itself", answer(302, "/fault/RD-01/self"), expect: tooMany),
    redirect(
      "RD-01", "pair", "to and fro", answer(301, "/fault/RD-01/pair/other"), expect: tooMany,
      more: [Route("/fault/RD-01/pair/other", script: answer(301, "/fault/RD-01/pair"))]),
    chain(20, expect: gotHello), chain(21, expect: tooMany),
  ]

  private static let schemes: [FaultCase] = [
    ("file", "file:///etc/passwd"), ("upper", "FILE:///etc/passwd"), ("ftp", "ftp://127.0.0.1/x"),
    ("gopher", "gopher://127.0.0.1/x"), ("dict", "dict://127.0.0.1/x"), ("smb", "smb://127.0.0.1/x"),
    ("data", "data:text/plain,hello"), ("javascript", "javascript:alert(1)"),
  ].map { variant, location in
    redirect(
      "RD-02", variant, "to \(location)", answer(302, location), expect: unsupported, checks: [.failingURL(location)])
  }

  private static func asItIs(_ id: String, _ variant: String, _ status: Int, _ location: String?) -> FaultCase {
    let body = status == 304 ? [] : hello
    return redirect(
      id, variant, "a \(status), \(location == nil ? "no" : "a") Location", answer(status, location, body: body),
      expect: .success(status: status, body: body))
  }

  private static let final: [FaultCase] = [
    asItIs("RD-03", "none", 302, nil), asItIs("RD-03", "empty", 302, ""), asItIs("RD-03", "201", 201, "/x"),
    asItIs("RD-03", "300", 300, "/x"), asItIs("RD-03", "304", 304, "/x"),
  ]

  private static let brokenLocations: [(variant: String, location: String)] = [
    ("bracket", "http://[::1"), ("port", "http://a:99999/"), ("backslash", "http:\\\\a\\b"), ("host", "http:///x"),
  ]

  private static let broken: [FaultCase] =
    brokenLocations.map { variant, location in
      redirect("RD-04", variant, "to \(location)", answer(302, location), expect: unusable)
    } + [
      redirect(
        "RD-04", "control", "to a Location with a control character",
        [.text("HTTP/1.1 302 Found\r\nLocation: /a\u{1}b\r\nContent-Length: 0\r\n\r\n")], expect: unusable, badMessage)
    ]
}

// MARK: - Where they lead

extension FaultCatalogue {
  private static func target(_ path: String) -> [Route] { [Route(path, script: .response(.text("hello")))] }

  private static let targets: [FaultCase] = [
    redirect(
      "RD-05", "relative", "a relative Location", answer(302, "x/../goal?a=b#c"), expect: gotHello,
      more: target("/fault/RD-05/goal")),
    redirect(
      "RD-05", "utf8", "a Location in bare UTF-8", answer(302, "/fault/RD-05/\u{fc}"), expect: gotHello,
      more: target("/fault/RD-05/%C3%BC")),
    redirect(
      "RD-05", "space", "a Location with a space", answer(302, "/fault/RD-05/a b"), expect: gotHello,
      more: target("/fault/RD-05/a%20b")),
    FaultCase(
      "RD-05", "host", "a Location without scheme",
      [
        FaultExchange(
          .function { answer(302, "//\($0.head["Host"] ?? "")/fault/RD-05/host/goal") }, trueBody: hello,
          outcomes: [gotHello])
      ], more: target("/fault/RD-05/host/goal")),
  ]

  /// A request with a body, redirected by `status`; the next request must have the method `wanted`, with the body or
  /// without.
  private static func method(_ method: String, _ status: Int, to wanted: String, keepsBody: Bool = false) -> FaultCase {
    let path = "/fault/RD-06/\(method)-\(status)"
    let goal = Route(path + "/goal") { request in
      let head = request.head
      let isWhole = request.bodyBytes == 1000 && request.bodyChecksum == SeededBody.checksum(seed: 1, size: 1000)
      let isBare = request.bodyBytes == 0 && head["Content-Type"] == nil && head["Content-Length"] == nil
      let isRight = head.method == wanted && (keepsBody ? isWhole : isBare)
      return .response(isRight ? .text("hello") : .text("\(head.method), \(request.bodyBytes) bytes", 500))
    }
    let body = ["GET", "HEAD", "DELETE"].contains(method) ? 0 : Int64(1000)
    return redirect(
      "RD-06", "\(method)-\(status)", "\(method) redirected by \(status)", answer(status, path + "/goal"),
      method: method, bodySize: body, expect: .success(status: 200, body: wanted == "HEAD" ? [] : hello), more: [goal])
  }

  private static let methods: [FaultCase] =
    [301, 302, 303].map { method("POST", $0, to: "GET") }
    + [305, 306, 307, 308].map { method("POST", $0, to: "POST", keepsBody: true) }
    + [301, 302, 307, 308].map { method("PUT", $0, to: "PUT", keepsBody: true) }
    + [method("PUT", 303, to: "GET"), method("DELETE", 302, to: "DELETE"), method("DELETE", 303, to: "GET")]
    + [305, 306].map { method("GET", $0, to: "GET") }
    + [305, 306].map { method("PUT", $0, to: "PUT", keepsBody: true) }
    + [301, 302, 305, 306, 307, 308].map { method("HEAD", $0, to: "HEAD") } + [method("HEAD", 303, to: "GET")]

  private static let bodies: [FaultCase] = [
    redirect(
      "RD-09", "endless", "a body without end",
      [.text("HTTP/1.1 302 Found\r\nLocation: /fault/RD-09/goal\r\n\r\n"), .repeated(Array("more".utf8), times: nil)],
      expect: gotHello, checks: [.growth(atMost: 4 << 20)], more: target("/fault/RD-09/goal")),
    redirect(
      "RD-09", "cut", "a body that is cut short",
      [
        .text("HTTP/1.1 302 Found\r\nLocation: /fault/RD-09/cut/goal\r\nContent-Length: 10\r\n\r\nhel"), .end(.rst),
      ], expect: gotHello, connectionLost, more: target("/fault/RD-09/cut/goal")),
    redirect(
      "RD-09", "long", "a Location of 90,000 bytes",
      answer(302, "/fault/RD-09/" + String(repeating: "a", count: 90_000)),
      expect: gotHello, connectionLost, badMessage, .success(status: 404, body: []), more: target("/fault/RD-09/*")),
    redirect(
      "RD-09", "two", "two Locations: the first counts",
      [
        .text(
          "HTTP/1.1 302 Found\r\nLocation: /fault/RD-09/two/goal\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")
      ], expect: twoLocations, more: target("/fault/RD-09/two/goal")),
  ]

  /// A Location with user name and password; the target asks for them.
  private static let secrets: [FaultCase] = [
    FaultCase(
      "RD-11", "user", "user name and password in the Location",
      [
        FaultExchange(
          .function { answer(302, "http://user:secret@\($0.head["Host"] ?? "")/fault/RD-11/goal") }, trueBody: hello,
          outcomes: [.success(status: 401, body: hello), .failure(codes: [-1012])])
      ],
      more: [
        Route("/fault/RD-11/goal") { request in
          guard request.head["Authorization"] == nil else { return .response(.text("told", 500)) }
          let field = HeaderField("WWW-Authenticate", "Basic realm=\"goal\"")
          return .response(Response(401, fields: [field], body: .bytes(hello)))
        }
      ])
  ]
}
