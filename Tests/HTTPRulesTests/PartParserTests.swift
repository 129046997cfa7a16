// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules

@Suite struct PartParserTests {
  /// What a parser made of a body: the parts' heads as text and their bytes, or the fault.
  struct Outcome: Equatable {
    var heads: [String] = []
    var bodies: [String] = []
    var fault: String?
  }

  /// Parses `body` cut into pieces of `step` bytes.
  static func parse(_ body: [UInt8], boundary: String = "b", step: Int = .max) -> Outcome {
    var parser = PartParser(boundary: Array(boundary.utf8))
    var outcome = Outcome()
    var bytes: [[UInt8]] = []
    var start = 0
    while start < body.count {
      let end = min(body.count, start.addingReportingOverflow(step).overflow ? body.count : start + step)
      Array(body[start..<end]).withUnsafeBytes { piece in
        var input = piece[...]
        while outcome.fault == nil, let event = parser.next(&input) {
          switch event {
          case .part(let fields):
            outcome.heads.append(fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))
            bytes.append([])
          case .data(let data): bytes[bytes.count - 1] += data
          case .held(let data): bytes[bytes.count - 1] += data
          case .fault(let sentence): outcome.fault = sentence
          }
        }
      }
      start = end
    }
    let last = parser.finish()
    if !last.isEmpty { bytes[bytes.count - 1] += last }
    outcome.bodies = bytes.map { String(decoding: $0, as: UTF8.self) }
    return outcome
  }

  private static let cases: [(String, Outcome)] = [
    (
      "--b\r\nA: 1\r\n\r\none\r\n--b\r\nA: 2\r\nB:  x \r\n\r\ntwo\r\n\r\n--b--\r\nepilogue\r\n--b\r\n\r\nno",
      Outcome(heads: ["A=1", "A=2;B=x"], bodies: ["one", "two\r\n"])
    ),
    // A preamble, padding behind a boundary, LF alone, a folded field.
    ("before\r\n--b \t\r\nA: 1\r\n  more\r\n\r\none\r\n--b--", Outcome(heads: ["A=1 more"], bodies: ["one"])),
    ("--b\nA: 1\n\none\n--b\n\ntwo\n--b--\n", Outcome(heads: ["A=1", ""], bodies: ["one", "two"])),
    // No head, no body, neither.
    ("--b\r\n\r\none\r\n--b--", Outcome(heads: [""], bodies: ["one"])),
    ("--b\r\nA: 1\r\n\r\n--b\r\nA: 2\r\n\r\n\r\n--b--", Outcome(heads: ["A=1", "A=2"], bodies: ["", ""])),
    // What looks like a boundary and is none.
    (
      "--b\r\n\r\n-\r\n--\r\n--a\r\n --b\r\nx--b\r\r\n\r\n--c\r\r\n--b--",
      Outcome(heads: [""], bodies: ["-\r\n--\r\n--a\r\n --b\r\nx--b\r\r\n\r\n--c\r"])
    ),
    // RFC 2046 section 5.1.1: the boundary at the beginning of a line suffices.
    (
      "--b\r\n\r\none\r\n--boundary\r\n\r\ntwo\r\n--b-\r\n\r\nthree",
      Outcome(heads: ["", "", ""], bodies: ["one", "two", "three"])
    ),
    // Behind its Content-Length a part may end without a line end, or with none of its own.
    (
      "--b\r\nContent-Length: 3\r\n\r\none--b\r\nContent-Length: 2\r\n\r\n\r\n--b\r\ncontent-length: 0\r\n\r\n--b--",
      Outcome(
        heads: ["Content-Length=3", "Content-Length=2", "content-length=0"], bodies: ["one", "\r\n", ""])
    ),
    // More bytes, fewer bytes, and what is no length.
    (
      "--b\r\nContent-Length: 2\r\n\r\nfour\r\n--b\r\nContent-Length: 9\r\n\r\ntwo\r\n--b\r\nContent-Length: x\r\n\r\nno\r\n--b--",
      Outcome(heads: ["Content-Length=2", "Content-Length=9", "Content-Length=x"], bodies: ["four", "two", "no"])
    ),
    // No delimiter before the first part, and none behind the last.
    (
      "Content-Type: a/b\r\nContent-Length: 3\r\n\r\none\r\n--b\r\nContent-Length: 3\r\n\r\ntwo\r\n",
      Outcome(heads: ["Content-Type=a/b;Content-Length=3", "Content-Length=3"], bodies: ["one", "two"])
    ),
    ("cont\r\n--b\r\n\r\none\r\n--b--", Outcome(heads: [""], bodies: ["one"])),
    // Cut short: what is held belongs to the part.
    ("--b\r\n\r\none\r\n--", Outcome(heads: [""], bodies: ["one\r\n--"])),
    ("--b\r\n\r\none\r", Outcome(heads: [""], bodies: ["one\r"])),
    ("--b\r\n\r\none\r\n--b\r\nA: 1\r\n", Outcome(heads: [""], bodies: ["one"])),
    ("no boundary at all\r\n--", Outcome()), ("", Outcome()), ("--b--", Outcome()),
  ]

  @Test(arguments: cases.indices) func `parts, whole and cut at every byte`(index: Int) {
    let (text, expected) = Self.cases[index]
    let body = Array(text.utf8)
    for step in [Int.max, 1, 2, 3, 5, 7] { #expect(Self.parse(body, step: step) == expected, "in steps of \(step)") }
    for cut in body.indices where cut > 0 { #expect(Self.parse(body, step: cut) == expected, "cut at \(cut)") }
  }

  @Test(arguments: ["--x", "--", "----x"])
  func `dashes of a boundary are its own or the delimiter's, as the first line has it`(
    boundary: String
  ) {
    for line in [boundary, "--" + boundary] {
      let body = Array("before\r\n-\r\n\(line)\r\n\r\none\r\n\(line)\r\n\r\ntwo\r\n\(line)--".utf8)
      for step in [Int.max, 1, 2, 3, 5] {
        #expect(Self.parse(body, boundary: boundary, step: step) == Outcome(heads: ["", ""], bodies: ["one", "two"]))
      }
    }
  }

  @Test(arguments: [
    "--b\r\nno field\r\n\r\n", "--b\r\n folded\r\n\r\n", "--b\r\n: v\r\n\r\n", "--b\r\nA b: v\r\n\r\n",
    "--b\r\nA: \u{0}\r\n\r\n",
  ]) func `a line of a head that is no field is a fault`(text: String) {
    for step in [Int.max, 1, 2] {
      #expect(Self.parse(Array(text.utf8), step: step).fault == "A part's head has a line that is no field.")
    }
  }

  @Test func `heads and boundary lines without end are faults`() {
    let head = Array("--b\r\nA: ".utf8) + [UInt8](repeating: 97, count: 40_000)
    let line = Array("--b".utf8) + [UInt8](repeating: 32, count: 2000)
    let lines = Array("--b\r\n".utf8) + Array(repeating: Array("A: b\r\n".utf8), count: 10_000).joined()
    for step in [Int.max, 1000, 1] {
      #expect(Self.parse(head, step: step).fault == "A part's head has more than 32768 bytes.")
      #expect(Self.parse(lines, step: step).fault == "A part's head has more than 32768 bytes.")
      #expect(Self.parse(line, step: step).fault == "A boundary is followed by more than 1024 bytes.")
    }
  }

  @Test func `random bytes are taken apart in the same way wherever they are cut`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("--b\r\n: A\u{0}".utf8) + [200]
    for _ in 0..<2000 {
      let body = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let whole = Self.parse(body)
      for step in [1, 2, 3, 11] {
        let cut = Self.parse(body, step: step)
        guard cut != whole else { continue }
        Issue.record("\(body) in steps of \(step): \(cut), not \(whole)")
      }
    }
  }

  @Test(arguments: [
    ("multipart/x-mixed-replace; boundary=abc", "abc"), ("Multipart/X-Mixed-Replace ;Boundary = abc ; x=y", "abc"),
    ("multipart/x-mixed-replace;x=\"boundary=no\";boundary=\"a b\\\"c\"", "a b\"c"),
    ("multipart/x-mixed-replace; boundary=--abc", "--abc"), ("multipart/x-mixed-replace", nil),
    ("multipart/x-mixed-replace; boundary", nil), ("multipart/x-mixed-replace; boundary=", nil),
    ("multipart/x-mixed-replace; boundary=\"", nil), ("multipart/x-mixed-replace; boundary=\"a \"", nil),
    ("multipart/x-mixed-replace; boundary=\u{e9}", nil), ("multipart/mixed; boundary=abc", nil), ("", nil), (";", nil),
    ("multipart/x-mixed-replace; boundary=" + String(repeating: "a", count: 71), nil),
    ("multipart/x-mixed-replace; boundary=" + String(repeating: "a", count: 70), String(repeating: "a", count: 70)),
  ]) func `the boundary in a content type`(type: String, boundary: String?) {
    #expect(MixedReplace.boundary(of: type).map { String(decoding: $0, as: UTF8.self) } == boundary)
    #expect(MixedReplace.boundary(of: nil) == nil)
  }

  @Test func `a part's response has the whole's fields but those about the body`() {
    let whole = [
      HeaderField(name: "Date", value: "now"), HeaderField(name: "Content-Type", value: "multipart/x-mixed-replace"),
      HeaderField(name: "Content-Length", value: "99"), HeaderField(name: "Transfer-Encoding", value: "chunked"),
      HeaderField(name: "X-A", value: "whole"),
    ]
    let own = [
      HeaderField(name: "x-a", value: "own"), HeaderField(name: "Set-Cookie", value: "a=b"),
      HeaderField(name: "Content-Length", value: "-5"),
    ]
    let fields = PartHead.fields(ofPart: own, in: whole).map { "\($0.name): \($0.value)" }
    #expect(fields == ["Date: now", "x-a: own", "Content-Type: text/plain"])
  }
}
