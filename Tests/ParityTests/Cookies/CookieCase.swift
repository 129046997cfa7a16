// SPDX-License-Identifier: Apache-2.0

@testable import Transport

/// One row about cookies as data: what a server sets in answer to a first request, and what later requests then carry.
///
/// `HOST` in a field stands for a host of the case's own below `localhost`, so that cases share no cookies though
/// NSURLConnection has one store for the whole process. Hosts `sub` and `other` lie below it; "" is the host itself.
struct CookieCase: Sendable, CustomStringConvertible {
  /// A later request and the Cookie field it must have.
  struct Visit: Sendable {
    var host = ""
    var path: String
    var cookie: String?
  }

  var id: String
  var summary: String
  /// The host and path of the request that is answered with `fields`.
  var host = ""
  var path = "/set"
  var statusLine = "200 OK"
  /// Field lines of the answer; each character is one byte.
  var fields: [String]
  /// Sent in place of the whole response, where the fields alone are not the point.
  var raw: String?
  var visits: [Visit]

  var description: String { "\(id): \(summary)" }

  /// The bytes that answer the first request.
  func answer(host: String) -> [UInt8] {
    let head = "HTTP/1.1 \(statusLine)\r\nContent-Length: 2\r\n"
    let text = raw ?? head + fields.map { $0 + "\r\n" }.joined() + "\r\nok"
    return text.replacing("HOST", with: host).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}

extension CookieCase {
  private static func root(_ cookie: String?) -> [Visit] { [Visit(path: "/", cookie: cookie)] }

  static let all = hostile + domains + paths + guards + ages + places

  static let hostile = [
    CookieCase(
      id: "CK-02", summary: "four bytes that end the toolchain's parser",
      fields: ["Set-Cookie: =\u{D6}\u{BB}=", "Set-Cookie: ok=1"], visits: root("ok=1")),
    CookieCase(
      id: "CK-02", summary: "control characters", fields: ["Set-Cookie: a=\u{1}", "Set-Cookie: b=\u{7F}; Path=/"],
      visits: root(nil)),
    CookieCase(
      id: "CK-02", summary: "UTF-8, what is none, and what stands for that here come back byte by byte",
      fields: [
        "Set-Cookie: a=\u{FF}x\u{E9}", "Set-Cookie: b=\u{C3}\u{A9}", "Set-Cookie: \u{80}=\u{F4}\u{8F}\u{BB}\u{BF}",
      ], visits: root("a=\u{FF}x\u{E9}; b=\u{C3}\u{A9}; \u{80}=\u{F4}\u{8F}\u{BB}\u{BF}")),
    CookieCase(id: "CK-02", summary: "nothing but semicolons", fields: ["Set-Cookie: ;;;;"], visits: root(nil)),
    CookieCase(
      id: "CK-02", summary: "a cookie of 8 KB",
      fields: ["Set-Cookie: a=" + String(repeating: "x", count: 8192), "Set-Cookie: b=1"], visits: root("b=1")),
    CookieCase(
      id: "CK-02", summary: "a comma is part of the value", fields: ["Set-Cookie: a=\"1, b=2\"; Path=/"],
      visits: root("a=\"1, b=2\"")),
  ]

  static let domains = [
    CookieCase(
      id: "CK-03", summary: "without Domain only the host gets it", fields: ["Set-Cookie: a=1"],
      visits: [Visit(path: "/", cookie: "a=1"), Visit(host: "sub", path: "/", cookie: nil)]),
    CookieCase(
      id: "CK-03", summary: "with Domain the hosts below, too, whatever the case",
      fields: ["Set-Cookie: a=1; Domain=.HOST", "Set-Cookie: b=1; dOMAIN=HOST"],
      visits: [Visit(path: "/", cookie: "a=1; b=1"), Visit(host: "sub", path: "/", cookie: "a=1; b=1")]),
    CookieCase(
      id: "CK-03", summary: "a parent may be named, a sibling, a child and a public domain may not", host: "sub",
      fields: [
        "Set-Cookie: up=1; Domain=HOST", "Set-Cookie: side=1; Domain=other.HOST",
        "Set-Cookie: down=1; Domain=x.sub.HOST", "Set-Cookie: public=1; Domain=localhost",
        "Set-Cookie: com=1; Domain=.com", "Set-Cookie: ip=1; Domain=127.0.0.1",
      ],
      visits: [Visit(path: "/", cookie: "up=1"), Visit(host: "other", path: "/", cookie: "up=1")]),
    CookieCase(
      id: "CK-09", summary: "a Domain with a trailing dot",
      fields: ["Set-Cookie: a=1; Domain=HOST.", "Set-Cookie: b=1; Domain=localhost."], visits: root(nil)),
  ]

  static let paths = [
    CookieCase(
      id: "CK-04", summary: "a path ends where a segment does", fields: ["Set-Cookie: a=1; Path=/foo"],
      visits: [
        Visit(path: "/foo", cookie: "a=1"), Visit(path: "/foo/bar", cookie: "a=1"),
        Visit(path: "/foobar", cookie: nil), Visit(path: "/%66oo", cookie: nil), Visit(path: "/", cookie: nil),
      ]),
    CookieCase(
      id: "CK-04", summary: "the default path is the directory", path: "/d/e", fields: ["Set-Cookie: a=1"],
      visits: [Visit(path: "/d", cookie: "a=1"), Visit(path: "/d/x", cookie: "a=1"), Visit(path: "/", cookie: nil)]),
    CookieCase(
      id: "CK-01", summary: "longer paths first, then older cookies",
      fields: ["Set-Cookie: a=1; Path=/", "Set-Cookie: b=1; Path=/x/y", "Set-Cookie: c=1; Path=/x"],
      visits: [Visit(path: "/x/y", cookie: "b=1; c=1; a=1")]),
  ]

  static let guards = [
    CookieCase(
      id: "CK-05", summary: "Secure over http is not taken, HttpOnly is",
      fields: ["Set-Cookie: a=1; Secure", "Set-Cookie: b=1; HttpOnly"], visits: root("b=1")),
    CookieCase(
      id: "CK-06", summary: "prefixes whose promise is not kept",
      fields: ["Set-Cookie: __Host-a=1; Path=/", "Set-Cookie: __Secure-b=1", "Set-Cookie: __host-c=1; Secure; Path=/"],
      visits: root(nil)),
    CookieCase(
      id: "CK-10", summary: "at most fifty cookies of a domain, the newest",
      fields: (1...60).map { "Set-Cookie: c\($0)=1" },
      visits: root((11...60).map { "c\($0)=1" }.joined(separator: "; "))),
    CookieCase(
      id: "CK-02", summary: "thousands of cookies, as many as libcurl takes fields",
      fields: (1...(CurlFacts.current.limitsFields ? 4900 : 9000)).map { "Set-Cookie: c\($0)=1" },
      visits: root((451...500).map { "c\($0)=1" }.joined(separator: "; "))),
  ]

  static let ages = [
    CookieCase(
      id: "CK-07", summary: "what is over is not kept, what overflows is",
      fields: [
        "Set-Cookie: a=1; Max-Age=0", "Set-Cookie: b=1; Max-Age=-1", "Set-Cookie: c=1; Max-Age=99999999999999999999",
        "Set-Cookie: d=1; Expires=Sat, 01 Jan 1600 00:00:00 GMT",
        "Set-Cookie: e=1; Expires=Mon, 01 Jan 2001 00:00:00 GMT",
        "Set-Cookie: f=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT",
        "Set-Cookie: g=1; Max-Age=3600; Expires=1 Jan 2001 00:00:00",
      ],
      visits: root("c=1; d=1; f=1; g=1")),
    CookieCase(
      id: "CK-07", summary: "a cookie is taken back", fields: ["Set-Cookie: a=1", "Set-Cookie: a=; Max-Age=0"],
      visits: root(nil)),
  ]

  static let places = [
    CookieCase(
      id: "CK-13", summary: "401 sets cookies", statusLine: "401 Unauthorized", fields: ["Set-Cookie: a=1"],
      visits: root("a=1")),
    CookieCase(
      id: "CK-13", summary: "1xx and trailers do not", fields: [],
      raw: "HTTP/1.1 103 Early Hints\r\nSet-Cookie: early=1\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        + "Trailer: Set-Cookie\r\n\r\n2\r\nok\r\n0\r\nSet-Cookie: late=1\r\n\r\n",
      visits: root(nil)),
    CookieCase(
      id: "U9", summary: "a response that is refused does not", fields: [],
      raw: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 1, 2\r\n\r\nok", visits: root(nil)),
  ]
}
