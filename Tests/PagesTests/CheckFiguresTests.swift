// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import Testing

@testable import Pages

/// The page of an exercise draws what a failed check measured, beside the lesson's good example.
@Suite(.timeLimit(.minutes(4))) struct CheckFiguresTests {
  private static func check(_ door: Door, _ place: String) async -> String {
    #expect(await door.post("/exercises/check", "exercise=lesson-04").field("Location") == "/run")
    return await door.stream(place)?.read() ?? ""
  }

  @Test func `memory that grew too much has its curve, the allowed line and the good form beside it`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let first = await Self.check(door, "1.0")
      #expect(first.contains("running the lesson’s good example") && first.contains("event: end"))
      let page = await door.get("/exercises/4").body
      #expect(page.matches(of: /<svg class="drawing"/).count == 2)
      #expect(page.matches(of: /allowed: \+8\.0\u{A0}MiB/).count == 2)
      #expect(page.contains("<strong>✗ memory</strong>") && page.contains("file: the file “download”</strong>"))
      #expect(page.contains("Your program (plain)") && page.contains("The lesson’s good example (session/"))
      // What a page that is open fetches has them, too, in the reader's language.
      let language = await door.post("/language", "language=zh-Hans&to=/").field("Set-Cookie").split(separator: ";")
      let part = await door.answer(
        to: "GET /exercises/4/outcome HTTP/1.1\r\nHost: \(door.host)\r\n\(door.cookie); \(language[0])\r\n\r\n")
      #expect(part.body.matches(of: /<svg class="drawing"/).count == 2)
      for words in ["你的程序（plain）", "本课的正确示例（session/", "允许：+8.0\u{A0}MiB"] {
        #expect(part.body.contains(words), "\(words)")
      }
      // The good example's run is known from then on.
      let second = await Self.check(door, "2.0")
      #expect(second.contains("event: end") && !second.contains("running the lesson’s good example"))
      #expect(await door.get("/exercises/4").body.matches(of: /<svg class="drawing"/).count == 2)
    }
  }

  @Test func `a program that the compiler refuses has no drawing, and no example runs for it`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let exercise = try door.course.exercise(named: "4")
      try Data("this is no Swift".utf8).write(to: door.student.file(of: exercise))
      #expect(!(await Self.check(door, "1.0").contains("good example")))
      #expect(!(await door.get("/exercises/4").body.contains("<svg class=\"drawing\"")))
    }
  }
}
