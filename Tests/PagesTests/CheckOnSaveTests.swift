// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import Testing

@testable import Pages

/// An open page of an exercise has the program checked when it is saved. What the compiler refuses is checked in a second.
@Suite(.timeLimit(.minutes(4))) struct CheckOnSaveTests {
  private static let path = "/exercises/lesson-04/events"

  private static func save(_ text: String, _ door: Door) throws {
    let exercise = try door.course.exercise(named: "4")
    try Data(text.utf8).write(to: door.student.file(of: exercise), options: .atomic)
  }

  @Test func `each save is one check, however many pages are open`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      #expect(await door.get("/exercises/4").body.contains("data-exercise=\"lesson-04\" data-number=\"0\""))
      let pages = [await door.events(Self.path), await door.events(Self.path)]
      for page in pages { _ = await page?.read { $0.contains(#""number":0"#) } }
      // Looking at a page checks nothing.
      #expect(await door.get("/run").body.contains("Nothing has run"))
      for number in 1...2 {
        try Self.save("this is no Swift \(number)", door)
        for page in pages {
          let text = await page?.read { $0.contains("\"number\":\(number)") } ?? ""
          #expect(text.contains("\"number\":\(number)"))
          #expect(!text.contains("\"number\":\(number + 1)"))
        }
        let shown = await door.get("/exercises/4").body
        #expect(shown.contains("data-number=\"\(number)\"") && shown.contains("does not compile, 0 of"))
        let part = await door.get("/exercises/4/outcome")
        #expect(part.body.hasPrefix("<p id=\"state\">State: failing</p>") && part.body.contains("does not compile"))
        #expect(part.field("Content-Security-Policy") == "default-src 'none'")
      }
      #expect(door.site.jobs == 2)
    }
  }

  @Test func `a save in the midst of a run is checked after it`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let page = await door.events(Self.path)
      _ = await page?.read { $0.contains(#""number":0"#) }
      #expect(await door.post("/run", "lesson=lesson-05&size=65536&example=connection/throttled").status == 303)
      let run = await door.stream("1.0")
      _ = await run?.read { $0.contains("event: progress") }
      try Self.save("this is no Swift", door)
      #expect(await run?.read().contains("event: end") == true)
      #expect(await page?.read { $0.contains(#""number":1"#) }.contains(#""number":1"#) == true)
      #expect(door.site.jobs == 2)
    }
  }

  @Test func `a check that finds something else running leaves the save to be checked after it`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let page = await door.events(Self.path)
      _ = await page?.read { $0.contains(#""number":0"#) }
      // A whole lesson, which takes far longer than the two posts on any machine, and is stopped then.
      #expect(await door.post("/run", "lesson=lesson-05&size=65536").status == 303)
      let run = await door.stream("1.0")
      _ = await run?.read { $0.contains("event: progress") }
      try Self.save("this is no Swift", door)
      let refused = await door.post("/exercises/check", "exercise=lesson-04")
      #expect(refused.status == 409 && refused.body.contains("One thing runs at a time"))
      #expect(await door.post("/run/stop").status == 303)
      #expect(await run?.read().contains("event: end") == true)
      #expect(await page?.read { $0.contains(#""number":1"#) }.contains(#""number":1"#) == true)
      #expect(door.site.jobs == 2)
    }
  }

  @Test func `a page that is gone checks nothing, and the exercise has its button still`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let page = await door.events(Self.path)
      _ = await page?.read { $0.contains(#""number":0"#) }
      page?.hangUp()
      _ = await page?.read()
      try Self.save("this is no Swift", door)
      #expect(await door.post("/exercises/check", "exercise=lesson-04").field("Location") == "/run")
      #expect(await door.stream("1.0")?.read().contains("event: end") == true)
      // The page that comes back finds the file checked.
      let again = await door.events(Self.path)
      #expect(await again?.read { $0.contains("number") }.contains(#""number":1"#) == true)
      #expect(door.site.jobs == 1)
    }
  }
}
