// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import TestSupport
import Testing

@testable import Pages

/// What the pages say, and what the server answers to foreign clients.
@Suite(.timeLimit(.minutes(3))) struct SiteTests {
  @Test func `the printed address lets a browser in, once and for all pages`() async throws {
    try await Door.open { door in
      let first = await door.answer(to: "GET /?token=\(door.token) HTTP/1.1\r\nHost: \(door.host)\r\n\r\n")
      #expect(first.status == 303)
      #expect(first.field("Location") == "/")
      #expect(first.field("Set-Cookie").contains(door.token))
      for path in [
        "/", "/lessons/lesson-05", "/lessons/5", "/claims", "/runs", "/run", "/exercises", "/exercises/lesson-04",
        "/behaviour", "/glossary", "/course", "/pitfalls",
      ] {
        let page = await door.get(path)
        #expect(page.status == 200, "\(path)")
        #expect(!page.body.contains(door.token))
        let policy = page.field("Content-Security-Policy")
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
      }
    }
  }

  @Test func `who has no token, another Host or another origin gets a sentence and nothing else`() async throws {
    try await Door.open { door in
      let stranger = await door.answer(to: "GET / HTTP/1.1\r\nHost: \(door.host)\r\n\r\n")
      #expect(stranger.status == 403)
      #expect(stranger.body.contains("Open the link that workbench serve printed"))
      #expect(!stranger.body.contains("lesson"))
      let rebound = await door.answer(to: "GET / HTTP/1.1\r\nHost: evil.example\r\n\(door.cookie)\r\n\r\n")
      #expect(rebound.status == 421)
      let foreign = await door.post("/run", "lesson=lesson-05&size=64", ["Origin: http://evil.example"])
      #expect(foreign.status == 403)
      #expect(await door.post("/run", "lesson=lesson-05&size=64", []).status == 403)
      #expect(await door.get("/run").body.contains("<h1>Nothing has run</h1>"))
      #expect(await door.post("/run", "lesson=5&size=x").body.contains("<h1>That cannot be run</h1>"))
    }
  }

  @Test func `the glossary and the course are pages, and a lesson's terms lead to the glossary with a tooltip`()
    async throws
  {
    try await Door.open { door in
      let glossary = await door.get("/glossary").body
      #expect(glossary.contains("<section class=\"term\" id=\"run-loop\"><h2>run loop</h2>"))
      #expect(glossary.contains(" href=\"/glossary\" aria-current=\"page\""))
      let lesson = await door.get("/lessons/lesson-09").body
      let term = lesson.firstMatch(of: /<a href="\/glossary#mode" title="([^"]+)">modes<\/a>/)
      #expect((term?.output.1.count ?? 0) > 20)
      let course = await door.get("/course").body
      #expect(course.contains("<h1>A plan of the course</h1>"))
      #expect(course.contains("<td><a href=\"/lessons/lesson-09\">09</a></td>"))
    }
  }

  @Test func `a run can be had as a trace and as HAR by links with a name`() async throws {
    try await Door.open { door in
      let runs = door.folder.url.appendingPathComponent("runs")
      try FileManager.default.createDirectory(at: runs, withIntermediateDirectories: true)
      let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ReportsTests/Golden/lesson-05.json")
      let id = "20261123T000005Z-lesson-05-64MiB"
      try FileManager.default.copyItem(at: golden, to: runs.appendingPathComponent("\(id).json"))
      let page = await door.get("/runs/\(id)").body
      for (format, file, name) in [
        ("trace", "\(id).trace.json", "Trace for Perfetto"), ("har", "\(id).har", "HAR of the requests"),
      ] {
        #expect(page.contains("href=\"/runs/\(id)/\(format)\" download=\"\(file)\">\(name)</a>"))
        let answer = await door.get("/runs/\(id)/\(format)")
        #expect(answer.status == 200 && answer.field("Content-Type") == "application/json; charset=utf-8")
        #expect(answer.field("Content-Disposition") == "attachment; filename=\"\(file)\"")
        #expect(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) is [String: Any])
      }
      #expect(await door.get("/runs/\(id)/other").status == 404)
      #expect(await door.get("/runs/none/trace").status == 404)
    }
  }

  @Test(arguments: [
    "/../etc/passwd", "/runs/../../etc/passwd", "/runs/..%2F..%2Fetc%2Fpasswd", "/lessons/lesson-05/lesson.md",
    "/runs/", "/runs//etc/passwd", "/exercises/../lesson-04", "/runs/.hidden", "/%00",
  ])
  func `a path is looked up and never joined to a folder`(_ path: String) async throws {
    try await Door.open { door in
      let answer = await door.get(path)
      #expect(answer.status == 404)
      #expect(!answer.body.contains("root:"))
    }
  }

  @Test func `a head of 4 MiB, or one without end, is refused before it is in memory`() async throws {
    try await Door.open { door in
      let long = door.head("GET /", ["X: " + String(repeating: "x", count: 4 << 20)]) + "\r\n"
      #expect(await door.answer(to: long).status == 431)
      #expect(await door.answer(to: String(repeating: "a", count: 64 << 10)).status == 431)
      #expect(await door.post("/run", String(repeating: "a", count: 5000)).status == 413)
      #expect(await door.get("/").status == 200)
    }
  }

  @Test func `garbage is refused`() async throws {
    try await Door.open { door in
      for text in ["\u{0}\u{1}\u{2}\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n", "\r\n\r\n", "GET\r\n\r\n"] {
        #expect(await door.answer(to: text).status == 400)
      }
      #expect(await door.get("/").status == 200)
    }
  }

  @Test func `200 connections that say nothing keep nobody out`() async throws {
    try await Door.open { door in
      // Not on a thread of the pool, whose threads accept them.
      let port = door.site.port
      let idle = try await onThread { (0..<200).compactMap { _ in Visitor(port) } }
      #expect(idle.count == 200)
      #expect(await door.get("/").status == 200)
      // The oldest had to go.
      #expect(await idle[0].read() == "")
      #expect(door.site.connections <= WebPlaces.most)
      #expect(await door.get("/claims").status == 200)
    }
  }

  @Test func `connections that are refused and stay open keep no browser out`() async throws {
    try await Door.open { door in
      let port = door.site.port
      let refused = try await onThread { (0..<(2 * WebPlaces.most)).compactMap { _ in Visitor(port) } }
      // Those that still have a place are refused, and from then on the site takes what they may still send.
      for visitor in refused.suffix(WebPlaces.most) { await visitor.send(Array("no request\r\n\r\n".utf8)) }
      for visitor in refused.suffix(WebPlaces.most) { #expect(await Answer(visitor.read()).status == 400) }
      #expect(await door.get("/").status == 200)
      #expect(door.site.connections <= WebPlaces.most)
    }
  }

  @Test func `the reader's language is a choice that stays, and leads back to this server only`() async throws {
    try await Door.open { door in
      let chosen = await door.post("/language", "language=zh-Hans&to=/claims")
      #expect(chosen.field("Location") == "/claims")
      let cookie = chosen.field("Set-Cookie").split(separator: ";").first ?? ""
      let page = await door.answer(
        to: "GET / HTTP/1.1\r\nHost: \(door.host)\r\n\(door.cookie); \(cookie)\r\n\r\n")
      #expect(page.body.contains("<html lang=\"zh-Hans\">"))
      #expect(page.body.contains("课程"))
      for path in ["//evil.example", "https://evil.example", "/a%0D%0ASet-Cookie:x=y", "/\\evil.example"] {
        #expect(await door.post("/language", "language=en&to=\(path)").field("Location") == "/")
      }
    }
  }

  @Test func `the table of behaviour is chosen by feature, without a script`() async throws {
    try await Door.open { door in
      #expect(await door.get("/").body.contains("<a href=\"/behaviour\">Behaviour</a>"))
      let features = await door.get("/behaviour").body
      #expect(features.contains("<a href=\"/behaviour?feature=order%20of%20delegate%20methods\">"))
      #expect(features.contains("<form action=\"/behaviour\">") && !features.contains("303 after POST"))
      let redirects = await door.get("/behaviour?feature=redirects").body
      #expect(redirects.contains("303 after POST: the next method") && redirects.contains("probe redirect.303-POST"))
      #expect(redirects.contains("<option value=\"redirects\" selected>") && !redirects.contains("data task, 204"))
      // The choice outlives a change of the language.
      #expect(redirects.contains("name=\"to\" value=\"/behaviour?feature=redirects\""))
      let order = await door.get("/behaviour?feature=order+of+delegate+methods").body
      #expect(order.contains("data task, 204"))
      let all = await door.get("/behaviour?feature=").body
      #expect(all.contains("303 after POST") && all.contains("data task, 204"))
      let unknown = await door.get("/behaviour?feature=%3Cb%3E")
      #expect(unknown.status == 404 && unknown.body.contains("There is no feature “&lt;b&gt;”."))
    }
  }

  @Test func `a port in use gets a sentence with its cure`() async throws {
    try await Door.open { door in
      do {
        _ = try WebListener(port: door.site.port)
        Issue.record("two servers listen on one port")
      } catch let error as LessonKitError {
        #expect(error.description.contains("is taken by another program. Leave --port away"))
      }
    }
  }

  @Test func `a page of another site, or a file, leads a browser in by a page of this server's`() async throws {
    try await Door.open { door in
      let led = await door.answer(
        to: "GET /runs?token=\(door.token) HTTP/1.1\r\nHost: \(door.host)\r\nSec-Fetch-Site: cross-site\r\n\r\n")
      #expect(led.status == 200 && led.field("Refresh") == "0; url=/runs" && !led.body.contains(door.token))
      #expect(led.field("Set-Cookie").contains(door.token) && led.body.contains("<a href=\"/runs\">"))
      let typed = await door.answer(
        to: "GET /runs?token=\(door.token) HTTP/1.1\r\nHost: \(door.host)\r\nSec-Fetch-Site: none\r\n\r\n")
      #expect(typed.status == 303)
    }
  }

  @Test func `a result is shown also where the student's folder takes no notes`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let exercise = try door.course.exercise(named: "4")
      try Data("this is no Swift".utf8).write(to: door.student.file(of: exercise))
      let notes = door.student.url.appendingPathComponent(".workbench")
      try FileManager.default.removeItem(at: notes)
      try FileManager.default.createDirectory(
        at: notes.appendingPathComponent("in the way"), withIntermediateDirectories: true)
      #expect(await door.post("/exercises/check", "exercise=lesson-04").field("Location") == "/run")
      #expect(await door.stream("1.0")?.read().contains(#"{"to":"/exercises/lesson-04"}"#) == true)
      let page = await door.get("/exercises/4").body
      #expect(page.contains("does not compile, 0 of"))
      #expect(page.contains("/.workbench cannot be written. Is there space"))
    }
  }

  @Test func `a job that begins while the site ends is refused, and one that began is awaited`() async throws {
    let board = JobBoard(executable: "/bin/cat")
    let order = JobRequest.check(CheckOrder(exercise: "x", course: "/", student: "/"))
    #expect(board.start(order))
    await board.end()
    #expect(!board.isRunning && board.job != nil)
    #expect(!board.start(order))
  }

  @Test func `an exercise is started, hints come one by one, and the last check is shown`() async throws {
    try await Door.open { door in
      let exercise = try door.course.exercise(named: "4")
      #expect(await door.get("/exercises/4").body.contains("State: new"))
      #expect(await door.post("/exercises/start", "exercise=lesson-04").field("Location") == "/exercises/lesson-04")
      #expect(door.student.state(of: exercise) == .started)
      #expect(await door.post("/exercises/hint", "exercise=lesson-04").status == 303)
      #expect(door.student.hintsSeen(of: exercise) == 1)
      #expect(await door.get("/exercises/4").body.contains("<h2>Hints</h2>"))
      // What the compiler refuses is checked in a second or two.
      let program = "import ConnectionAPI\nenum Exercise { static func run() { _ = URLSession.shared } }\n"
      try Data(program.utf8).write(to: door.student.file(of: exercise))
      #expect(await door.post("/exercises/check", "exercise=lesson-04").field("Location") == "/run")
      let events = await door.stream("1.0")?.read() ?? ""
      #expect(events.contains(#"{"to":"/exercises/lesson-04"}"#))
      let page = await door.get("/exercises/4").body
      #expect(page.contains("does not compile, 0 of"))
      #expect(page.contains("State: failing"))
      #expect(page.contains("URLSession and its kin are in SessionAPI: write import SessionAPI."))
      #expect(!page.contains("<h2>Explanation</h2>"))
      try door.student.checked(exercise, passed: true)
      let passed = await door.get("/exercises/4").body
      #expect(passed.contains("<h2>Explanation</h2>") && passed.contains("A solution to compare with yours"))
    }
  }
}
