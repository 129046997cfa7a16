// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Bodies that are streams and meet a 401: A.7, B.9, N5-07.
@Suite struct StreamTests {
  private static let size: Int64 = 300_000
  private static let checksum = SeededBody.checksum(seed: 3, size: size)

  private func load(
    _ path: String, _ face: ChallengeFace, on server: LessonServer, _ stream: (@Sendable () -> InputStream?)?
  ) async -> Observation.Facts {
    let client = ChallengeClient(face, stream: stream) { _ in .login("lesson", "secret") }
    return await client.load(server.url(path)) { request in
      request.httpMethod = "POST"
      request.httpBodyStream = Self.stream()
    }
  }

  private static func stream() -> InputStream { InputStream(data: Data(SeededBody(seed: 3).bytes(0..<size))) }

  private func running() throws -> LessonServer {
    let server = LessonServer(routes: [.basic("/basic"), .digest("/digest")])
    try server.start()
    return server
  }

  @Test(arguments: ChallengeFace.allCases, ["/basic", "/digest"])
  func `after a 401 a new stream is asked for, and the whole body goes once more (A.7, B.9)`(
    face: ChallengeFace, path: String
  ) async throws {
    let server = try running()
    let asked = Locked(0)
    let facts = await load(path, face, on: server) {
      asked.withLock { $0 += 1 }
      return Self.stream()
    }
    #expect(facts.error == nil && facts.status == 200 && facts.body == Array("ok".utf8))
    #expect(asked.withLock { $0 } == 1)
    let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
    #expect(requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
    #expect(requests.map { $0["Authorization"] != nil } == [false, true])
  }

  @Test(arguments: ChallengeFace.allCases)
  func `without a new stream it ends with -1021, and nothing goes twice (A.7, B.9)`(face: ChallengeFace) async throws {
    let server = try running()
    let facts = await load("/basic", face, on: server) { nil }
    #expect((facts.error as? URLError)?.code == .requestBodyStreamExhausted)
    #expect(facts.ends == 1 && facts.late == 0)
    #expect(server.log.snapshot().requests.count == 1)
  }

  @Test(arguments: [ChallengeFace.connection, .legacyConnection])
  func `a connection's delegate that has no such method gets the body sent from a copy (A.7)`(face: ChallengeFace)
    async throws
  {
    let server = try running()
    let facts = await load("/digest", face, on: server, nil)
    #expect(facts.error == nil && facts.status == 200)
    let log = server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
  }
}
