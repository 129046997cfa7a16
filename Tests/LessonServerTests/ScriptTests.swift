// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@Suite struct ScriptTests {
  /// What a client gets from `/x` until the end of the connection.
  private func outcome(
    of script: Script, request: String = "GET /x HTTP/1.1\r\n\r\n"
  ) async throws -> (text: String, end: TestClient.End) {
    let server = try startedServer([Route("/x", script: script)])
    return try await onThread {
      let client = try TestClient(server)
      client.send(request)
      let (bytes, end) = client.readToEnd()
      return (String(decoding: bytes, as: UTF8.self), end)
    }
  }

  @Test func `raw bytes go out as they are`() async throws {
    let outcome = try await outcome(of: [.text("HTT"), .bytes([80, 13]), .end(.fin)])
    #expect(outcome == ("HTTP\r", .fin))
  }

  @Test(arguments: [(Ending.fin, TestClient.End.fin), (.rst, .reset), (.halfClose, .fin), (.abruptClose, .fin)])
  func `each ending is what the client sees`(_ ending: Ending, _ end: TestClient.End) async throws {
    #expect(try await outcome(of: [.end(ending)]) == ("", end))
  }

  @Test(arguments: [Ending.fin, .rst])
  func `a cut lets exactly so many bytes through`(_ ending: Ending) async throws {
    let script = Script.response(.text("hello"))
    let whole = try await outcome(of: [.response(.text("hello")), .end(.fin)]).text
    for count in [0, 1, 17, whole.utf8.count - 1] {
      let (text, end) = try await outcome(of: script.cut(after: Int64(count), by: ending))
      #expect(whole.hasPrefix(text))
      if ending == .fin { #expect(text.utf8.count == count) }
      #expect(end == (ending == .fin ? .fin : .reset))
    }
  }

  @Test func `a cut also holds inside generated and chunked bodies`() async throws {
    let generated: Script = [.cut(after: 100_000, by: .fin), .seeded(seed: 1, range: 0..<1 << 40)]
    #expect(
      try await outcome(of: generated).text == String(decoding: SeededBody(seed: 1).bytes(0..<100_000), as: UTF8.self))
    let chunks = Response(body: .bytes(Array("abcdef".utf8)), framing: .chunked(2))
    let whole = try await outcome(of: [.response(chunks), .end(.fin)]).text
    #expect(whole.hasSuffix("\r\n\r\n2\r\nab\r\n2\r\ncd\r\n2\r\nef\r\n0\r\n\r\n"))
    let cut = try await outcome(of: Script.response(chunks).cut(after: Int64(whole.utf8.count - 9), by: .fin))
    #expect(whole.hasPrefix(cut.text))
    #expect(whole.utf8.count - cut.text.utf8.count == 9)
  }

  @Test func `repeats have their number, or no end`() async throws {
    #expect(try await outcome(of: [.repeated([65, 66], times: 3), .end(.fin)]).text == "ABABAB")
    let many = try await outcome(of: [.repeated(Array("abc".utf8), times: 100_000), .end(.fin)])
    #expect(many.text == String(repeating: "abc", count: 100_000))
    let flood = try await outcome(of: Script([.repeated([65], times: nil)]).cut(after: 1_000_000, by: .fin))
    #expect(flood.text.utf8.count == 1_000_000)
  }

  @Test func `a drip pauses after each piece`() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let script: Script = [.pace(.drip(bytes: 2, pause: .milliseconds(20))), .text("abcde"), .end(.fin)]
    #expect(try await outcome(of: script).text == "abcde")
    #expect(clock.now - start >= .milliseconds(60))
  }

  @Test func `a half-closed stream still reads`() async throws {
    let server = try startedServer([Route("/x", script: [.text("bye"), .end(.halfClose)])])
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /x HTTP/1.1\r\n\r\n")
      #expect(client.readToEnd().end == .fin)
      client.send("more")
      #expect(server.log.counts.live == 1)
      #expect(server.log.wait(within: .seconds(90)) { $0.ended == 1 })
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
  }

  @Test func `a stall ends with the client or with the server`() async throws {
    let server = try startedServer([Route("/x", script: [.text("HTTP/1.1 200 OK\r\n"), .stall])])
    try await onThread {
      do {
        let client = try TestClient(server)
        client.send("GET /x HTTP/1.1\r\n\r\n")
        #expect(server.log.waitForRequests(1, within: .seconds(90)))
      }
      #expect(server.log.waitUntilClosed(within: .seconds(90)))
      let second = try TestClient(server)
      second.send("GET /x HTTP/1.1\r\n\r\n")
      #expect(server.log.waitForRequests(2, within: .seconds(90)))
      server.stop()
      #expect(second.readToEnd().end != .timeout)
    }
  }

  @Test func `delays and gates end when the server stops`() async throws {
    let server = try startedServer([
      Route("/delay", script: [.delay(.seconds(1000))]), Route("/gate", script: [.gate("shut")]),
      Route("/slow", script: [.pace(.bytesPerSecond(1)), .text("ab"), .text("cd")]),
    ])
    try await onThread {
      let clients = try ["/delay", "/gate", "/slow"].map { path in
        let client = try TestClient(server)
        client.send("GET \(path) HTTP/1.1\r\n\r\n")
        return client
      }
      #expect(server.log.waitForRequests(3, within: .seconds(90)))
      // Far less than the script's delay: it was cut short.
      #expect(ContinuousClock().measure { server.stop() } < .seconds(90))
      #expect(clients.allSatisfy { $0.readToEnd().end != .timeout })
    }
  }

  @Test func `a sequence gives each request its own script`() async throws {
    let route = Route(
      "/x", answer: .sequence([[.end(.rst)], .response(.text("second")), .response(.text("later"))]))
    let server = try startedServer([route])
    try await onThread {
      let first = try TestClient(server)
      first.send("GET /x HTTP/1.1\r\n\r\n")
      #expect(first.readToEnd().end == .reset)
      let client = try TestClient(server)
      let bodies = try (0..<3).map { _ in String(decoding: try client.get("/x").body, as: UTF8.self) }
      #expect(bodies == ["second", "later", "later"])
    }
  }

  @Test func `extra bytes after the response come while the connection is idle`() async throws {
    let server = try startedServer([
      Route("/x", script: [.response(.text("ok")), .gate("later"), .text("HTTP/1.1 200 Stale\r\n\r\n")]),
      Route("/ok", script: .response(.text("ok"))),
    ])
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get("/x").body.count == 2)
      server.open(gate: "later")
      #expect(try client.readHead() == "HTTP/1.1 200 Stale")
      #expect(try client.get("/ok").status == 200)
    }
  }

  @Test func `a script may leave the body unread until it says so`() async throws {
    let early = Script(
      [.text("HTTP/1.1 100 Continue\r\n\r\n"), .readBody, .response(.text("ok"))], readsBodyFirst: false)
    let server = try startedServer([Route("/x", script: early)])
    try await onThread {
      let client = try TestClient(server)
      client.send("POST /x HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.readAnswer().status == 100)
      client.send("body")
      #expect(try client.readAnswer().status == 200)
    }
    #expect(server.log.settled(within: .seconds(90)).requests[0].bodyBytes == 4)
  }

  @Test func `a reset after an unread body loses nothing that the client already has`() async throws {
    let script = Script([.response(.text("no", 413)), .end(.fin)], readsBodyFirst: false)
    let server = try startedServer([Route("/x", script: script)])
    try await onThread {
      let client = try TestClient(server)
      client.send("POST /x HTTP/1.1\r\nContent-Length: 10000000\r\n\r\n")
      client.send([UInt8](repeating: 1, count: 1_000_000))
      #expect(try client.readAnswer().status == 413)
      #expect(client.readToEnd().end == .fin)
    }
  }
}
