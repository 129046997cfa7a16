// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// multipart/x-mixed-replace on both APIs: N2-05, A.4, A.7, B.10 and D7.
@Suite struct PartsTests {
  private static let delegates = [Face.connection, .dataTask]
  private static let floodCount = TestMachine.repetitions(4_000)
  private static let large: [MixedPart] = (1...3).map { number in
    MixedPart(
      [HeaderField("Content-Type", "application/x-\(number)"), HeaderField("Content-Length", "700000")],
      body: .seeded(seed: UInt64(number), range: 0..<700_000))
  }
  private static let routes =
    Route.standard + [
      Route("/large", script: .mixedReplace(large)),
      Route(
        "/drip",
        script: Script.mixedReplace([.text("one"), .text("two\r\n"), .text("")]).paced(.drip(bytes: 1, pause: .zero))),
      Route("/none", script: .mixedReplace([])),
      Route("/gated", script: .mixedReplace([.text("one"), .text("two")], between: [.gate("next")])),
      Route("/cut", script: .mixedReplace([.text("one"), .text("two")], between: [.end(.rst)])),
      Route(
        "/broken",
        script: [
          .text(
            "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\nContent-Length: 27\r\n\r\n"
              + "--b\r\n\r\none\r\n--b\r\nbad\r\n\r\n..")
        ]),
      Route(
        "/flood",
        script: [
          .text("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n"),
          .repeated(Array("--b\r\n\r\n".utf8), times: floodCount), .text("--b--"), .end(.fin),
        ]),
      unended("/unended-body", "--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--"),
      unended("/unended-empty", "--b\r\n\r\none\r\n--b\r\n\r\n"),
      unended("/unended-head", "--b\r\n\r\none\r\n--b\r\nA: 1"),
      unended("/ended", "--b\r\n\r\none\r\n--b\r\n"),
    ]

  /// Parts whose server hangs up behind `text`.
  private static func unended(_ path: String, _ text: String) -> Route {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\nConnection: close\r\n\r\n"
    return Route(path, script: [.text(head + text), .end(.fin)])
  }

  private func load(
    _ path: String, on face: Face, _ act: (LessonServer, Observation) async throws -> Void = { _, _ in }
  )
    async throws -> Observation.Facts
  {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    let client = Client(face)
    let observation = client.start(URLRequest(url: try #require(URL(string: server.url(path)))))
    try await act(server, observation)
    #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
    await client.close()
    #expect(observation.facts.ends == 1)
    #expect(observation.facts.late == 0)
    return observation.facts
  }

  @Test(arguments: delegates) func `each part is a response of its own, with its data behind it (N2-05)`(face: Face)
    async throws
  {
    let facts = try await load("/large", on: face)
    #expect(facts.error == nil)
    #expect(facts.heads.map { $0["content-type"] } == ["application/x-1", "application/x-2", "application/x-3"])
    #expect(facts.heads.map { $0["content-length"] } == ["700000", "700000", "700000"])
    let sums = facts.bodies.map { BodyChecksum(of: $0).value }
    #expect(sums == (1...3).map { SeededBody.checksum(seed: UInt64($0), size: 700_000) })
  }

  @Test(arguments: delegates) func `the parts are the same one byte at a time (H1-41)`(face: Face) async throws {
    let facts = try await load("/drip", on: face)
    #expect(facts.error == nil)
    #expect(facts.bodies.map { String(decoding: $0, as: UTF8.self) } == ["one", "two\r\n", ""])
  }

  @Test(arguments: delegates) func `a part is delivered while the next one is awaited`(face: Face) async throws {
    let facts = try await load("/gated", on: face) { server, observation in
      try await eventually { observation.facts.bodies == [Array("one".utf8)] }
      server.open(gate: "next")
    }
    #expect(facts.bodies.map { String(decoding: $0, as: UTF8.self) } == ["one", "two"])
  }

  @Test(arguments: delegates) func `without a part the response itself is told, once (A.4)`(face: Face) async throws {
    let facts = try await load("/none", on: face)
    #expect(facts.error == nil)
    #expect(facts.heads.map { $0["content-type"] } == ["multipart/x-mixed-replace; boundary=\"lesson\""])
    #expect(facts.bodies == [[]])
  }

  @Test(arguments: delegates) func `a connection lost between parts: what came stays (A.4)`(face: Face) async throws {
    let facts = try await load("/cut", on: face)
    #expect((facts.error as? URLError)?.code == .networkConnectionLost)
    #expect(["", "one"].contains(String(decoding: facts.body, as: UTF8.self)))
  }

  @Test(arguments: delegates, [("body", ["one", "two\r\n--"]), ("empty", ["one", ""]), ("head", ["one"])])
  func `a last part without an end is cut: -1005 behind what came (A.4)`(face: Face, case: (String, [String]))
    async throws
  {
    let facts = try await load("/unended-\(`case`.0)", on: face)
    #expect((facts.error as? URLError)?.code == .networkConnectionLost)
    #expect(facts.bodies.map { String(decoding: $0, as: UTF8.self) } == `case`.1)
  }

  @Test(arguments: delegates) func `a server may hang up behind a boundary (A.4)`(face: Face) async throws {
    let facts = try await load("/ended", on: face)
    #expect(facts.error == nil)
    #expect(facts.bodies.map { String(decoding: $0, as: UTF8.self) } == ["one"])
  }

  @Test(arguments: delegates) func `a part whose head cannot be read fails with -1017`(face: Face) async throws {
    let facts = try await load("/broken", on: face)
    #expect((facts.error as? URLError)?.code == .cannotParseResponse)
    #expect(facts.bodies.map { String(decoding: $0, as: UTF8.self) } == ["one"])
  }

  /// The answers of cameras: their boundary, and the body that a server ends by hanging up.
  private static let cameras: [(String, String)] = [
    (
      "--frame",
      "--frame\r\nContent-Type: image/jpeg\r\n\r\none\r\n--frame\r\nContent-Type: image/jpeg\r\n\r\ntwo\r\n--frame--"
    ),
    (
      "f",
      "Content-Type: image/jpeg\r\nContent-Length: 3\r\n\r\none\r\n--f\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\ntwo\r\n"
    ),
    (
      "f",
      "--f\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\none--f\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\ntwo"
    ),
    (
      "f",
      "--f\r\nContent-Type: image/jpeg\r\nContent-Length: 2\r\n\r\none\r\n--f\r\nContent-Type: image/jpeg\r\nContent-Length: 1\r\n\r\ntwo\r\n--f--"
    ),
  ]

  private func load(_ type: String, _ body: String, on face: Face) async throws -> Observation.Facts {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n"
    let server = LessonServer(routes: [Route("/camera", script: [.text(head + body), .end(.fin)])])
    try server.start()
    return await Client.load(URLRequest(url: try #require(URL(string: server.url("/camera")))), on: face)
  }

  @Test(arguments: delegates, cameras.indices) func `frames come as cameras write them`(face: Face, number: Int)
    async throws
  {
    let (boundary, body) = Self.cameras[number]
    let facts = try await load("multipart/x-mixed-replace;boundary =\(boundary)", body, on: face)
    #expect(facts.error == nil)
    #expect(facts.bodies.map { String(decoding: $0, as: UTF8.self) } == ["one", "two"])
    #expect(facts.heads.allSatisfy { $0["content-type"] == "image/jpeg" })
  }

  @Test(arguments: delegates, ["no delimiter at all", "--other\r\n\r\none", "--f\r\nno field\r\n\r\n"])
  func `a body in which no part is found comes as it is`(face: Face, body: String) async throws {
    let large = String(repeating: body, count: 30_000)
    for body in [body, large] {
      let facts = try await load("multipart/x-mixed-replace; boundary=f", body, on: face)
      #expect(facts.error == nil && facts.heads.count == 1 && facts.body == Array(body.utf8))
      #expect(facts.heads.first?["content-type"] == "multipart/x-mixed-replace; boundary=f")
    }
  }

  @Test(arguments: delegates) func `a flood of empty parts comes one at a time and ends`(face: Face) async throws {
    let facts = try await load("/flood", on: face)
    #expect(facts.error == nil)
    #expect(facts.heads.count == Self.floodCount)
  }

  @Test(arguments: [Face.asynchronous, .handlerTask, .downloadTask])
  func `a handler or a file gets the body as it is`(face: Face) async throws {
    let facts = try await load("/drip", on: face)
    #expect(facts.error == nil)
    #expect(String(decoding: facts.body, as: UTF8.self).hasPrefix("--lesson\r\nContent-Type: text/plain\r\n\r\none"))
  }
}
