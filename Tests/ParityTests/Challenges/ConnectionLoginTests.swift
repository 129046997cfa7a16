// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// Logins that bind a connection, on both APIs: NTLM, which is carried out, and Negotiate, which is not.
@Suite struct ConnectionLoginTests {
  private static let refusal = Array("who is there?\n".utf8)

  private static func ntlm(_ path: String = "/ntlm", before: [String] = []) -> Route {
    var settings = NTLMSettings()
    settings.users = ["lesson": "secret", "anna": "one", "bert": "two"]
    settings.before = before
    return .ntlm(path, settings)
  }

  private func expectOK(
    _ facts: Observation.Facts, _ user: String = "lesson", _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(facts.status == 200 && facts.error == nil, sourceLocation: place)
    #expect(String(decoding: facts.body, as: UTF8.self) == "ok \(user)", sourceLocation: place)
    #expect(facts.ends == 1 && facts.late == 0, sourceLocation: place)
  }

  /// Of each request that a server saw: its connection, and how long its message of NTLM is.
  private func logins(_ server: LessonServer) -> [(socket: Int, message: Int?)] {
    server.log.settled(within: .seconds(TestMachine.patience)).requests.map { request in
      (request.socket, request["Authorization"]?.utf8.count)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `the right answer to NTLM logs in one connection (AU-16)`(face: ChallengeFace) async throws {
    try await LessonServer.serving([Self.ntlm()]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      expectOK(await client.load(server.url("/ntlm")))
      let challenge = try #require(client.seen.withLock { $0.first })
      #expect(client.seen.withLock { $0.count } == 1)
      #expect(challenge.space.authenticationMethod == NSURLAuthenticationMethodNTLM && challenge.space.realm == nil)
      #expect(challenge.failures == 0 && challenge.proposed == nil && challenge.failureStatus == 401)
      let requests = logins(server)
      try #require(requests.count == 3)
      #expect(requests[0].message == nil && requests[1].message != nil && requests[2].message != nil)
      #expect(requests[1].socket == requests[2].socket, "both messages on one connection")
      #expect(requests[0].socket != requests[1].socket, "a connection of the user's own")
      // A connection that is logged in stays so, for this user.
      expectOK(await client.load(server.url("/ntlm")))
      let later = logins(server)
      #expect(later.count == 4 && client.seen.withLock { $0.count } == 1)
      #expect(later.last?.socket == requests[1].socket && later.last?.message == nil)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `no other user's request, and none without a user, goes out on that connection (AU-17)`(
    face: ChallengeFace
  ) async throws {
    try await LessonServer.serving([Self.ntlm("/in/ntlm")] + Route.standard) { server in
      let client = ChallengeClient(face) { challenge in
        challenge.proposed.map { .use($0) } ?? .login("anna", "one")
      }
      expectOK(await client.load(server.url("/in/ntlm")), "anna")
      let annas = try #require(logins(server).last?.socket)
      let other = server.url("/in/ntlm").replacing("://", with: "://bert:two@")
      expectOK(await client.load(other), "bert")
      // The login that is remembered is for the folder of the page alone.
      #expect(await client.load(server.url("/ok")).status == 200)
      #expect(logins(server).dropFirst(3).allSatisfy { $0.socket != annas })
      let berts = try #require(logins(server).dropLast().last?.socket)
      #expect(logins(server).last?.socket != berts)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `a wrong answer to NTLM is a failure like any other (AU-18)`(face: ChallengeFace) async throws {
    try await LessonServer.serving([Self.ntlm(before: ["Negotiate"])]) { server in
      let client = ChallengeClient(face) { challenge in
        .login("lesson", challenge.failures == 2 ? "secret" : "wrong \(challenge.failures)")
      }
      expectOK(await client.load(server.url("/ntlm")))
      let seen = client.seen.withLock { $0 }
      #expect(seen.map { $0.space.authenticationMethod.suffix(4) } == ["iate", "NTLM", "NTLM", "NTLM"])
      #expect(seen.map(\.failures) == [0, 0, 1, 2])
      #expect(seen.map { $0.proposed?.password } == [nil, nil, "wrong 0", "wrong 1"])
      let endless = ChallengeClient(face) { _ in .login("lesson", "wrong") }
      let facts = await endless.load(server.url("/ntlm"))
      if face.isConnection {
        // All NSURLConnections remember what was right.
        #expect(facts.status == 200)
      } else {
        #expect(facts.status == 401 && facts.body == Self.refusal && facts.error == nil)
        #expect(endless.seen.withLock { $0.map(\.failures) } == [0, 0, 1, 2, 3, 4])
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `without an answer the 401 is the response, and a cancel ends the load (AU-18)`(
    face: ChallengeFace
  ) async throws {
    try await LessonServer.serving([Self.ntlm(before: ["Negotiate"])]) { server in
      for answer in [Answer.use(nil), .performDefault, .reject] {
        let facts = await ChallengeClient(face) { _ in answer }.load(server.url("/ntlm"))
        #expect(facts.status == 401 && facts.body == Self.refusal && facts.error == nil)
      }
      let facts = await ChallengeClient(face) { _ in .cancel }.load(server.url("/ntlm"))
      #expect((facts.error as? URLError)?.errorCode == face.cancelCode && facts.ends == 1)
      #expect(server.log.snapshot().requests.allSatisfy { $0["Authorization"] == nil })
    }
  }

  @Test(.enabled(if: !NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `where libcurl is built without NTLM a credential for it leads to the next offer, and to the 401 (AU-18)`(
    face: ChallengeFace
  ) async throws {
    let both = Route("/both", script: .response(.unauthorized("Basic realm=x", "NTLM")))
    try await LessonServer.serving([Self.ntlm(), both]) { server in
      let client = ChallengeClient(face) { challenge in
        challenge.space.realm == nil ? .login("lesson", "secret") : .use(nil)
      }
      for (path, methods) in [
        ("/ntlm", [NSURLAuthenticationMethodNTLM]),
        ("/both", [NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodHTTPBasic]),
      ] {
        client.seen.withLock { $0 = [] }
        let facts = await client.load(server.url(path))
        #expect(facts.status == 401 && facts.body == Self.refusal && facts.error == nil && facts.ends == 1)
        #expect(client.methods == methods)
      }
      #expect(server.log.snapshot().requests.allSatisfy { $0["Authorization"] == nil })
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `default handling of NTLM leads to what can be answered (AU-19)`(face: ChallengeFace) async throws {
    let wanted = "Basic " + Data("lesson:secret".utf8).base64EncodedString()
    let route = Route("/both") { request in
      request.head["Authorization"] == wanted
        ? .response(.text("ok lesson")) : .response(.unauthorized("Basic realm=x", "NTLM", "Negotiate"))
    }
    try await LessonServer.serving([route]) { server in
      let client = ChallengeClient(face) { challenge in
        challenge.space.realm == nil ? .performDefault : .login("lesson", "secret")
      }
      expectOK(await client.load(server.url("/both")))
      #expect(client.methods.map { $0.suffix(5) } == ["tiate", "dNTLM", "Basic"])
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `a body goes out once the connection is logged in (AU-20)`(face: ChallengeFace) async throws {
    try await LessonServer.serving([Self.ntlm()]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      for _ in 0..<2 {
        let facts = await client.load(server.url("/ntlm")) { request in
          request.httpMethod = "POST"
          request.httpBody = Data(SeededBody(seed: 3).bytes(0..<100_000))
        }
        expectOK(facts)
      }
      let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
      #expect(requests.map(\.bodyBytes) == [100_000, 0, 100_000, 100_000])
      #expect(requests.last?.bodyChecksum == SeededBody.checksum(seed: 3, size: 100_000))
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `a stream is asked for again (AU-20)`(face: ChallengeFace) async throws {
    let body = Data(SeededBody(seed: 4).bytes(0..<100_000))
    try await LessonServer.serving([Self.ntlm()]) { server in
      let client = ChallengeClient(face, stream: { InputStream(data: body) }) { _ in .login("lesson", "secret") }
      let facts = await client.load(server.url("/ntlm")) { request in
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: body)
      }
      expectOK(facts)
      let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
      #expect(requests.map(\.bodyBytes) == [100_000, 0, 100_000])
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a server that never finishes the login has the last word (AU-21)`(face: ChallengeFace) async throws {
    for word in ["AAAA", "TlRMTVNTUAACAAAA", "!"] {
      let broken = Route("/broken") { request in
        .response(.unauthorized(request.head["Authorization"] == nil ? "NTLM" : "NTLM \(word)"))
      }
      try await LessonServer.serving([broken]) { server in
        let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
        let facts = await client.load(server.url("/broken"))
        #expect(facts.status == 401 && facts.body == Self.refusal && facts.error == nil && facts.ends == 1)
      }
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered), arguments: ChallengeFace.allCases)
  func `over https NTLM speaks HTTP 1.1, also where the server has HTTP 2 (AU-22)`(face: ChallengeFace) async throws {
    let server = try TestAuthority.server(.trusted, routes: [Self.ntlm()])
    defer { server.stop() }
    let client = ChallengeClient(face) { challenge in
      challenge.space.authenticationMethod == NSURLAuthenticationMethodNTLM
        ? .login("lesson", "secret") : .performDefault
    }
    expectOK(await client.load(server.url("/ntlm", host: "localhost")))
    #expect(logins(server).map { $0.message == nil } == [true, false, false])
    #expect(server.log.snapshot().requests.map(\.version) == ["HTTP/2", "HTTP/1.1", "HTTP/1.1"])
  }
}
