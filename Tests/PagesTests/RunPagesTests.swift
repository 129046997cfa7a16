// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Pages

/// Runs that a page starts, watches and ends.
@Suite(.timeLimit(.minutes(4))) struct RunPagesTests {
  private static let small = "lesson=lesson-05&size=65536&answer=1&example="
  /// A run of minutes, so that a test is in the midst of it, however slow the machine is.
  private static let long = "all=1&size=65536"

  private static func events(_ text: String) -> [String] {
    text.components(separatedBy: "\n\n").filter { $0.contains("event: ") }
  }

  /// Where a stream's last event leads.
  private static func destination(_ text: String) -> String {
    events(text).last?.firstMatch(of: #/"to":"(.+)"/#).map { String($0.output.1) } ?? ""
  }

  @Test func `a run is started, watched live by eight browsers, kept, and is the page of --html`() async throws {
    try await Door.open { door in
      #expect(await door.post("/run", Self.small + "connection/delegate-main").field("Location") == "/run")
      // One browser that never reads must not slow the run or the others.
      let slow = await door.stream("1.0")
      let texts = await withTaskGroup(of: String.self) { group in
        for _ in 0..<8 { group.addTask { await door.stream("1.0")?.read() ?? "" } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let first = Self.events(texts.first ?? "")
      #expect(texts.count == 8)
      #expect(texts.allSatisfy { Self.events($0) == first })
      #expect(first.contains { $0.contains("event: row") && $0.contains("delegate-main") })
      let path = Self.destination(texts.first ?? "")
      let page = await door.get(path)
      #expect(page.status == 200)
      #expect(page.body.contains("class=\"drawing\""))
      #expect(page.body.contains("This run did not answer the question") || page.body.contains("The run agrees"))
      #expect(await door.get("/runs").body.contains(path))
      let id = path.split(separator: "/").last.map(String.init) ?? ""
      #expect(await door.get("/compare?before=\(id)&after=\(id)").status == 200)
      slow?.hangUp()
    }
  }

  @Test func `browsers that do not read slow no run, and get everything when they do`() async throws {
    try await Door.open { door in
      door.narrow()
      let address = "/behaviour?feature="
      let whole = await door.get(address).body.utf8.count
      var slow: [Visitor] = []
      for _ in 0..<8 {
        let browser = try #require(Visitor(door.site.port, slow: true))
        await browser.send(Array((door.head("GET \(address)") + "\r\n").utf8))
        slow.append(browser)
      }
      #expect(await door.post("/run", Self.small + "connection/delegate-main").status == 303)
      let stream = try #require(Visitor(door.site.port, slow: true))
      await stream.send(Array((door.head("GET /run/events?from=1.0") + "\r\n").utf8))
      let events = await door.stream("1.0")?.read() ?? ""
      #expect(Self.destination(events).hasPrefix("/runs/"))
      #expect(await door.get(Self.destination(events)).status == 200)
      // None of the pages had left the server, and all of each comes.
      #expect(door.site.connections >= slow.count)
      await withTaskGroup(of: Int.self) { group in
        for browser in slow { group.addTask { Answer(await browser.read()).body.utf8.count } }
        for await size in group { #expect(abs(size - whole) < 1000) }
      }
      #expect(Self.events(await stream.read()) == Self.events(events))
    }
  }

  @Test func `one thing runs at a time, and Stop ends it, also when pressed twice`() async throws {
    try await Door.open { door in
      #expect(await door.post("/run", Self.long).status == 303)
      let stream = await door.stream("1.0")
      _ = await stream?.read { $0.contains("event: progress") }
      let other = await door.post("/run", Self.long)
      #expect(other.status == 409)
      #expect(other.body.contains("now it is all lessons") && other.body.contains("<h1>Something else runs</h1>"))
      #expect(other.body.contains("<a href=\"/run\">Watch it, or stop it there</a>"))
      #expect(await door.get("/").body.contains("Running: all lessons"))
      async let first = door.post("/run/stop")
      async let second = door.post("/run/stop")
      #expect(await [first.status, second.status] == [303, 303])
      #expect(await stream?.read().contains("event: end") == true)
      #expect(await door.get("/run").body.contains("It was stopped"))
      #expect(await door.post("/run/stop").status == 303)
    }
  }

  @Test func `all lessons run at once by one button`() async throws {
    try await Door.open { door in
      #expect(await door.get("/").body.contains("name=\"all\" value=\"1\">Run all lessons</button>"))
      #expect(await door.post("/run", "all=1&size=65536").status == 303)
      let text = await door.stream("1.0")?.read { $0.contains("event: row") } ?? ""
      #expect(text.contains("\"name\":\"lesson-01 connection/"))
      #expect(await door.get("/run").body.contains("<h1>Running: all lessons</h1>"))
      #expect(await door.post("/run/stop").status == 303)
      _ = await door.stream("1.0")?.read()
      let runs = await door.get("/runs").body
      #expect(runs.contains("-lessons-64KiB-interrupted") || runs.contains("lesson-01-64KiB-interrupted"))
    }
  }

  @Test func `a lost stream comes back with what it missed and nothing twice`() async throws {
    try await Door.open { door in
      #expect(await door.post("/run", Self.small).status == 303)
      let lost = await door.stream("1.0")
      let before = await lost?.read { $0.contains("event: row") } ?? ""
      lost?.hangUp()
      let last = Self.events(before).compactMap { $0.firstMatch(of: #/id: (\d+\.\d+)/#).map { String($0.output.1) } }
        .last
      let again = Visitor(door.site.port)
      let head = door.head("GET /run/events?from=1.0", ["Last-Event-ID: \(last ?? "")"]) + "\r\n"
      await again?.send(Array(head.utf8))
      let after = Self.events(await again?.read() ?? "")
      let whole = Self.events(await door.stream("1.0")?.read() ?? "")
      let seen = Self.events(before).filter { $0.contains("id: ") }.count
      #expect(after == Array(whole.dropFirst(seen)))
      // A browser of a former run is sent to the one there is.
      #expect(await door.stream("7.3")?.read().contains("event: end") == true)
    }
  }

  @Test func `a run whose process is killed says so, and the next one runs`() async throws {
    try await Door.open { door in
      #expect(await door.post("/run", Self.long).status == 303)
      let stream = await door.stream("1.0")
      _ = await stream?.read { $0.contains("event: progress") }
      let child = Self.job(in: door.folder.url.path)
      #expect(child != nil)
      if let child { kill(child, SIGKILL) }
      #expect(await stream?.read().contains("event: end") == true)
      #expect(await door.get("/run").body.contains("ended from outside"))
      #expect(await door.post("/run", Self.small + "connection/delegate-main").status == 303)
      #expect(await door.stream("2.0")?.read().contains("runs") == true)
    }
  }

  @Test func `the end of the server is the end of the run and its processes`() async throws {
    let seen = try await Self.endInTheMidst()
    #expect(seen.child != nil)
    #expect(Self.job(in: seen.folder) == nil)
  }

  private static func endInTheMidst() async throws -> (child: pid_t?, folder: String) {
    let (ends, end) = AsyncStream.makeStream(of: (pid_t?, String).self)
    try await Door.open { door in
      #expect(await door.post("/run", Self.long).status == 303)
      _ = await door.stream("1.0")?.read { $0.contains("event: progress") }
      end.yield((Self.job(in: door.folder.url.path), door.folder.url.path))
      end.finish()
    }
    return await ends.first { _ in true } ?? (nil, "")
  }

  /// The process of a job whose runs go into this folder.
  private static func job(in folder: String) -> pid_t? {
    let processes = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    return processes.first { pid in
      let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
      let name = String(folder.split(separator: "/").last ?? "")
      return String(decoding: bytes, as: UTF8.self).contains("_job") && !name.isEmpty
        && String(decoding: bytes, as: UTF8.self).contains(name)
    }
  }

  @Test(arguments: ["lesson=lesson-99&size=64", "lesson=lesson-05&size=64&example=nix", "lesson=../x&size=64", ""])
  func `what is no lesson or example is not run`(_ form: String) async throws {
    try await Door.open { door in
      #expect(await door.post("/run", form).status == 404)
      #expect(await door.get("/run").body.contains("Nothing has run"))
    }
  }

  @Test(arguments: ["", "0", "-1", "x", "99999999999999"])
  func `a size that is none is not run`(_ size: String) async throws {
    try await Door.open { door in
      #expect(await door.post("/run", "lesson=lesson-05&size=\(size)").status == 400)
    }
  }
}
