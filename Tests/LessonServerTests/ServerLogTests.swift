// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Testing

@Suite struct ServerLogTests {
  @Test func `it holds what the client sent`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      _ = try client.get("/ok?a=1", fields: "Range: bytes=5-9\r\nX-Odd:  a b \t\r\n")
      let other = try TestClient(server)
      _ = try other.get("/1k", method: "HEAD")
    }
    let log = server.log.settled(within: .seconds(90))
    #expect(log.sockets.map(\.id) == [1, 2])
    #expect(log.requests.map(\.socket) == [1, 2])
    #expect(log.requests.map(\.method) == ["GET", "HEAD"])
    #expect(log.requests[0].target == "/ok?a=1")
    #expect(log.requests[0].range == "bytes=5-9")
    #expect(log.requests[0].fields.last == HeaderField("X-Odd", "a b"))
    #expect(log.requests[0].version == "HTTP/1.1")
    #expect(log.requests.map(\.status) == [200, 200])
    #expect(log.requests(for: "/ok").count == 1)
  }

  @Test func `it says when the first bytes of an answer were sent, which an interim answer is none of`() async throws {
    let routes = [
      Route(
        "/gate",
        script: [
          .response(Response(103)), .gate("go"), .response(.text("ok")), .delay(.milliseconds(50)),
        ]),
      Route("/none", script: [.delay(.milliseconds(1)), .end(.fin)]),
    ]
    let server = try startedServer(routes + Route.standard)
    let opened = try await onThread {
      let client = try TestClient(server)
      client.send("GET /gate HTTP/1.1\r\n\r\n")
      #expect(try client.readAnswer().status == 103)
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      server.open(gate: "go")
      #expect(try client.readAnswer().status == 200)
      _ = try TestClient(server).get("/ok")
      let silent = try TestClient(server)
      silent.send("GET /none HTTP/1.1\r\n\r\n")
      #expect(silent.readToEnd().bytes.isEmpty)
      return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
    let log = server.log.settled(within: .seconds(90))
    let gated = try #require(log.requests(for: "/gate").first)
    let (answered, ended) = (try #require(gated.answered), try #require(gated.ended))
    #expect(opened <= answered && answered + 0.05 <= ended)
    let quick = try #require(log.requests(for: "/ok").first)
    #expect(quick.answered == quick.began)
    let none = try #require(log.requests(for: "/none").first)
    #expect(none.ended != nil && none.answered == nil && none.answerLines.isEmpty)
    #expect(gated.answerLines.first == "HTTP/1.1 200 OK", "the interim answer is passed over")
  }

  @Test func `it travels as JSON`() async throws {
    let server = try startedServer()
    try await onThread { _ = try TestClient(server).get("/ok", fields: "X: \u{e9}\r\n") }
    let log = server.log.settled(within: .seconds(90))
    let copy = try JSONDecoder().decode(ServerLogSnapshot.self, from: JSONEncoder().encode(log))
    #expect(copy == log)
    #expect(copy.requests.count == 1)
  }

  @Test func `taking forgets what is done and keeps what is not`() async throws {
    let server = try startedServer([Route("/wait", script: [.gate("go"), .response(.text("ok"))])] + Route.standard)
    try await onThread {
      let client = try TestClient(server)
      _ = try client.get("/ok")
      client.send("GET /wait HTTP/1.1\r\n\r\n")
      #expect(server.log.waitForRequests(2, within: .seconds(90)))
      #expect(server.log.take().requests.count == 2)
      #expect(server.log.snapshot().requests.map(\.target) == ["/wait"])
      #expect(server.log.snapshot().requests[0].ended == nil)
      server.open(gate: "go")
      #expect(try client.readAnswer().status == 200)
      #expect(server.log.settled(within: .seconds(90)).requests.map(\.status) == [200])
      server.log.reset()
      #expect(server.log.snapshot().requests.isEmpty)
    }
  }

  @Test func `a request that one client leaves open is not in the log of the next`() async throws {
    let server = try startedServer([Route("/wait", script: [.gate("go"), .response(.text("ok"))])] + Route.standard)
    try await onThread {
      let first = try TestClient(server)
      first.send("GET /wait HTTP/1.1\r\n\r\n")
      #expect(server.log.waitForRequests(1, within: .seconds(90)))
      #expect(server.log.takeRun().requests.map(\.target) == ["/wait"])
      // It does not keep the log from settling either.
      #expect(server.log.settled(within: .seconds(90)).requests.isEmpty)
      server.open(gate: "go")
      #expect(try first.readAnswer().status == 200)
      #expect(try first.get("/ok").status == 200)
      let next = try TestClient(server)
      #expect(try next.get("/ok").status == 200)
      let taken = server.log.takeRun()
      #expect(taken.requests.count == 1 && taken.sockets.map(\.id) == taken.requests.map(\.socket))
    }
  }

  @Test func `waiting ends when the time is over`() {
    let server = LessonServer()
    #expect(!server.log.waitForRequests(1, within: .milliseconds(20)))
  }
}
