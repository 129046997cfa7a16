// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Digest on both APIs, against a server that checks every answer (AU-04, AU-05, AU-07).
@Suite struct DigestTests {
  private func withServer(_ routes: [Route], _ body: (LessonServer) async throws -> Void) async throws {
    let server = LessonServer(routes: routes)
    try server.start()
    try await body(server)
    server.stop()
  }

  private static let kinds: [DigestSettings] = {
    var kinds: [DigestSettings] = []
    for algorithm in [nil, "MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256"] {
      var settings = DigestSettings()
      settings.algorithm = algorithm
      settings.realm = "lesson \(algorithm ?? "")"
      settings.quality = "auth-int,auth"
      kinds.append(settings)
    }
    var old = DigestSettings()
    (old.realm, old.algorithm, old.quality) = ("old", "MD5", nil)
    var odd = DigestSettings()
    (odd.realm, odd.user) = (#"a "quoted" \ realm, with=signs"#, "Jürgen \"J\"")
    var secret = odd
    (secret.realm, secret.hashesUser) = ("hidden", true)
    return kinds + [old, odd, secret]
  }()

  @Test(arguments: ChallengeFace.allCases)
  func `every kind of Digest is answered rightly (AU-05)`(face: ChallengeFace) async throws {
    try await withServer(Self.kinds.indices.map { .digest("/\($0)/x", Self.kinds[$0]) }) { server in
      for (index, settings) in Self.kinds.enumerated() {
        let client = ChallengeClient(face) { _ in .login(settings.user, settings.password) }
        for query in ["", "?a=1&b=%20"] {
          let facts = await client.load(server.url("/\(index)/x\(query)"))
          #expect(facts.status == 200, "\(settings)")
        }
        let seen = client.seen.withLock { $0 }
        #expect(seen.map(\.space.realm) == [settings.realm])
        #expect(seen.map(\.space.authenticationMethod) == [NSURLAuthenticationMethodHTTPDigest])
      }
      // The second request of each used the same nonce, counted on.
      let requests = server.log.snapshot().requests
      #expect(requests.count == 3 * Self.kinds.count)
      for request in requests { #expect(!request.fields.contains { $0.value.contains("secret") }) }
    }
  }

  private static let body = SeededBody(seed: 3).bytes(0..<100_000)

  private static let wholeKinds = ["MD5", "SHA-256", "SHA-256-sess", "SHA-512-256"].map { algorithm in
    var settings = DigestSettings()
    settings.algorithm = algorithm
    (settings.quality, settings.body) = ("auth-int", body)
    return settings
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a server that protects the body gets its hash, also of none (AU-05)`(face: ChallengeFace) async throws {
    try await withServer(Self.wholeKinds.indices.map { .digest("/\($0)", Self.wholeKinds[$0]) }) { server in
      for index in Self.wholeKinds.indices {
        let client = ChallengeClient(face) { $0.failures == 0 ? .login("lesson", "secret") : .use(nil) }
        #expect(await client.load(server.url("/\(index)")).status == 200)
        let facts = await client.load(server.url("/\(index)")) { request in
          (request.httpMethod, request.httpBody) = ("POST", Data(Self.body))
        }
        #expect(facts.status == 200, "\(Self.wholeKinds[index])")
        // Another body than the server's is refused: it does look.
        let other = await client.load(server.url("/\(index)")) { request in
          (request.httpMethod, request.httpBody) = ("POST", Data("x".utf8))
        }
        #expect(other.status == 401)
      }
      for request in server.log.snapshot().requests where request.status == 200 {
        #expect(request["Authorization"]?.contains("qop=auth-int") == true)
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `no login is asked for that protects a body of a stream (AU-05)`(face: ChallengeFace) async throws {
    var both = Self.wholeKinds[1]
    both.quality = "auth-int,auth"
    try await withServer([.digest("/whole", Self.wholeKinds[1]), .digest("/both", both)]) { server in
      for (path, status) in [("/whole", 401), ("/both", 200)] {
        let client = ChallengeClient(face, stream: { InputStream(data: Data(Self.body)) }) { _ in
          .login("lesson", "secret")
        }
        let facts = await client.load(server.url(path)) { request in
          (request.httpMethod, request.httpBodyStream) = ("POST", InputStream(data: Data(Self.body)))
        }
        #expect(facts.status == status)
        #expect(client.seen.withLock { $0.count } == (status == 401 ? 0 : 1))
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a stale nonce is renewed without asking again`(face: ChallengeFace) async throws {
    var settings = DigestSettings()
    settings.uses = 2
    try await withServer([.digest("/x", settings)]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      for _ in 0..<5 { #expect(await client.load(server.url("/x")).status == 200) }
      #expect(client.seen.withLock { $0.count } == 1)
      let log = server.log.settled(within: .seconds(TestMachine.patience))
      #expect(log.requests.filter { $0.status == 401 }.count == 3)
    }
  }

  @Test(arguments: ChallengeFace.allCases, ["MD5", "SHA-256", "SHA-256-sess"])
  func `a nonce that Authentication-Info names is the next request's`(
    face: ChallengeFace, algorithm: String
  ) async throws {
    var settings = DigestSettings()
    (settings.algorithm, settings.changesNonce) = (algorithm, true)
    try await withServer([.digest("/x", settings)]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      for _ in 0..<4 { #expect(await client.load(server.url("/x")).status == 200) }
      #expect(client.seen.withLock { $0.count } == 1)
      let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
      #expect(requests.map(\.status) == [401, 200, 200, 200, 200])
      #expect(requests.dropFirst().allSatisfy { $0["Authorization"]?.contains("nc=00000001") == true })
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `names and passwords in UTF-8 go out in the Normalization Form C`(face: ChallengeFace) async throws {
    let (composed, decomposed) = ("J\u{fc}rgen", "Ju\u{308}rgen")
    var settings = DigestSettings()
    (settings.user, settings.password, settings.charset) = (composed, "p\u{e4}ss", "utf-8")
    var hashed = settings
    (hashed.hashesUser, hashed.realm) = (true, "hashed")
    let basic = Route.basic("/basic", user: composed, password: "p\u{e4}ss")
    try await withServer([.digest("/plain", settings), .digest("/hashed", hashed), basic]) { server in
      for path in ["/plain", "/hashed", "/basic"] {
        let client = ChallengeClient(face) { $0.failures == 0 ? .login(decomposed, "pa\u{308}ss") : .use(nil) }
        #expect(await client.load(server.url(path)).status == 200, "\(path)")
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a nonce that is stale for ever ends with the 401 (AU-04)`(face: ChallengeFace) async throws {
    var settings = DigestSettings()
    settings.uses = 0
    try await withServer([.digest("/x", settings)]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      #expect(await client.load(server.url("/x")).status == 401)
      #expect(client.seen.withLock { $0.count } == 5)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `after Digest at one origin none goes to another (AU-07)`(face: ChallengeFace) async throws {
    try await withServer([.digest("/x"), Route("/ok", script: .response(.text("ok")))]) { one in
      try await withServer([.digest("/x"), Route("/ok", script: .response(.text("ok")))]) { other in
        let client = ChallengeClient(face) { $0.space.port == Int(one.port) ? .login("lesson", "secret") : .use(nil) }
        #expect(await client.load(one.url("/x")).status == 200)
        #expect(await client.load(other.url("/ok")).status == 200)
        #expect(await client.load(other.url("/x")).status == 401)
        #expect(other.log.snapshot().requests.allSatisfy { $0["Authorization"] == nil })
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `the strongest way is asked about first; a rejected Digest space leads to Basic (A.6)`(
    face: ChallengeFace
  ) async throws {
    let basic = "Basic " + Data("a:b".utf8).base64EncodedString()
    let both = Route("/x") { request in
      request.head["Authorization"] == basic
        ? .response(.text("ok")) : .response(.unauthorized(#"Basic realm="x", Digest realm="x", nonce=1, qop="auth""#))
    }
    try await withServer([both]) { server in
      let client = ChallengeClient(face) {
        $0.space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic ? .login("a", "b") : .reject
      }
      #expect(await client.load(server.url("/x")).status == 200)
      #expect(client.seen.withLock { $0.count } == 2)
    }
  }
}
