// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport

/// An answer of HTTP/1.1 that a client refuses, or that leaves its connection, its host or the client in a state of its own.
struct BrokenAnswer {
  /// What it is, for a report.
  var name: String
  /// The pieces in which it leaves.
  var pieces: [[UInt8]]
  /// How the connection ends behind it; nil if the server leaves it open as long as other loads need.
  var ending: Ending?

  /// A family of answers by a seed's choices.
  private typealias Family = @Sendable (inout SeededChoice) -> (String, [String])

  /// The answer of a seed's next choices.
  static func next(_ choice: inout SeededChoice) -> BrokenAnswer {
    let (name, texts) = choice.one(of: families)(&choice)
    var answer = BrokenAnswer(name: name, pieces: texts.map { Array($0.utf8) })
    switch choice.number(below: 6) {
    case 0:
      answer.name += ", some bytes changed"
      answer.pieces = answer.pieces.map { choice.mutated($0) }
    case 1:
      let all = Array(answer.pieces.joined())
      answer.name += ", cut"
      answer.pieces = [Array(all.prefix(choice.number(below: all.count + 1)))]
    default: break
    }
    answer.ending = choice.one(of: [nil, nil, .fin, .rst, .bareFin])
    return answer
  }

  // MARK: - Parts

  private static func text(_ line: String, _ fields: [String] = [], _ body: String = "") -> String {
    ([line] + fields + ["", ""]).joined(separator: "\r\n") + body
  }

  /// A lawful answer with these fields besides.
  private static func lawful(_ fields: [String], status: String = "200 OK") -> String {
    text("HTTP/1.1 \(status)", fields + ["Content-Length: 4"], "case")
  }

  private static func oneOf(_ name: String, _ texts: [String]) -> Family {
    { choice in
      let text = choice.one(of: texts)
      return ("\(name): \(text.prefix(60).debugDescription)", [text])
    }
  }

  private static func fields(_ name: String, _ lines: [String], status: String = "200 OK") -> Family {
    oneOf(name, lines.map { lawful($0.components(separatedBy: "|"), status: status) })
  }

  // MARK: - Families

  private static let families: [Family] = [
    oneOf("status line", statusLines.map { text($0, ["Content-Length: 4"], "case") }),
    oneOf("label", Label.all.map { label in label.heads.map { text($0[0], Array($0.dropFirst())) }.joined() }),
    oneOf(
      "lengths", lengths.map { text("HTTP/1.1 200 OK", $0.components(separatedBy: "|"), "4\r\ncase\r\n0\r\n\r\n") }),
    oneOf("chunks", chunks.map { text("HTTP/1.1 200 OK", ["Transfer-Encoding: chunked"], $0) }),
    oneOf("field lines", fieldLines.map { text("HTTP/1.1 200 OK", [$0, "Content-Length: 4"], "case") }),
    oneOf("101", upgrades), oneOf("interim", interims), oneOf("redirect", redirects),
    fields("upgrade", ["Connection: upgrade|Upgrade: h2c", "Upgrade: h2c, h2", "Upgrade: TLS/1.3, HTTP/1.1"]),
    fields("426", ["Connection: upgrade|Upgrade: h2c", "Upgrade: HTTP/2.0", "Upgrade: HTTP/3"], status: "426 Upgrade"),
    fields("Alt-Svc", services), fields("connection", connections), fields("policy", policies),
    fields("401", logins.map { "WWW-Authenticate: \($0)" }, status: "401 Who"),
    fields("407", logins.map { "Proxy-Authenticate: \($0)" }, status: "407 Who"),
    { choice in
      let tail = choice.one(of: tails)
      let answer = lawful([])
      return (
        "bytes behind: \(tail.prefix(40).debugDescription)",
        choice.number(below: 2) == 0 ? [answer + tail] : [answer, tail]
      )
    },
  ]

  private static let statusLines = [
    "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 abc OK", "HTTP/1.1  200 OK", "HTTP/11 200 OK", "HTTP/1.1",
    "HTTP/1.1 ",
    "http/1.1 200 OK", "HTTP/1.2 200 OK", "HTTP/1.10 200 OK", "HTTP/4 200 OK", "HTTP/3 200 OK", "HTTP/0.9 200 OK",
    "HTTP 200 OK", "ICY 200 OK", "RTSP/1.0 200 OK", "HTTP/1.1 -200 OK", "HTTP/1.1 099 OK", "SSH-2.0-x", "220 ftp",
    " HTTP/1.1 200 OK", "\0HTTP/1.1 200 OK", "HTTP/1.1\t200\tOK", "HTTP/1.0 200 OK", "PRI * HTTP/2.0",
  ]

  private static let lengths = [
    "Content-Length: 4|Content-Length: 5", "Content-Length: 4, 5", "Content-Length: 4|Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked|Content-Length: 4", "Content-Length: -1", "Content-Length: +4", "Content-Length: 0x4",
    "Content-Length: 4 4", "Content-Length:", "Content-Length: 18446744073709551620", "Content-Length: 4, 4",
    "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked|Transfer-Encoding: identity", "Content-Length: 0",
    "Content-Length: 2", "Content-Length: 4|Content-Encoding: gzip", "Transfer-Encoding: chunked|Content-Encoding: br",
  ]

  private static let chunks = [
    "4\r\ncase\r\n", "4\r\ncaseX\r\n0\r\n\r\n", "4\r\ncas\r\n0\r\n\r\n", "-4\r\ncase\r\n0\r\n\r\n",
    "0x4\r\ncase\r\n0\r\n\r\n",
    "10000000000000004\r\ncase\r\n0\r\n\r\n", "\r\ncase\r\n0\r\n\r\n", "g\r\ncase\r\n0\r\n\r\n",
    "4;a=b\r\ncase\r\n0\r\n\r\n",
    "4 \r\ncase\r\n0\r\n\r\n", "4\ncase\n0\n\n", "4\r\ncase\r\n0\r\nX: y\r\n", "4\r\ncase\r\n0\r\nbad\r\n\r\n",
    "4\r\ncase\r\n00000000\r\n\r\nmore", "4\r\ncase\r\n0\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad",
  ]

  private static let fieldLines = [
    "Bad Name: x", ": x", "X", "X : y", " X: y", "X: a\0b", "X: a\rb", "Content-Length : 9", "X:\r\n\tfolded: y",
    "\u{0B}X: y",
  ]

  private static let upgrades = [
    text("HTTP/1.1 101 Switching Protocols", ["Connection: Upgrade", "Upgrade: h2c"]),
    text("HTTP/1.1 101 Switching Protocols", ["Connection: Upgrade", "Upgrade: h2c"], lawful([])),
    text("HTTP/1.1 101 Switching Protocols", ["Connection: Upgrade", "Upgrade: websocket"], "\u{1}\u{2}"),
    text("HTTP/1.1 101 Switching Protocols", [], "\0\0\0\u{4}\0\0\0\0\0"),
    text("HTTP/1.1 101 Switching Protocols", ["Upgrade: HTTP/2.0"], "\0\0\0\u{4}\0\0\0\0\0"),
  ]

  private static let interims = [
    text("HTTP/1.1 100 Continue") + lawful([]), text("HTTP/1.1 103 Early", ["Link: </a>"]) + lawful([]),
    text("HTTP/1.1 100 Continue", ["Content-Length: 9"]) + lawful([]), text("HTTP/1.1 199 x") + lawful([]),
    text("HTTP/1.1 102 x", ["Connection: close"]) + lawful([]), text("HTTP/1.0 100 x") + lawful([]),
    text("HTTP/1.1 103 x", ["Transfer-Encoding: chunked"]) + lawful([]), text("HTTP/1.1 100 Continue"),
    String(repeating: text("HTTP/1.1 103 Early"), count: 40) + lawful([]),
  ]

  private static let redirects = [
    "/landing", "//landing", "http:///", "", "\u{1}", "/landing#a", "ftp://localhost/", "?landing",
  ]
  .flatMap { place in ["301 x", "302 x", "303 x", "307 x", "308 x"].map { lawful(["Location: \(place)"], status: $0) } }
}
