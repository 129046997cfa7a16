// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import ServerParts
import SessionAPI
import Testing

/// Where credentials go, where they do not, and what is remembered of them (faults 4.6).
@Suite struct SecrecyTests {
  private func withUser(_ url: String, _ user: String = "lesson:secret@") -> String {
    url.replacingOccurrences(of: "http://", with: "http://" + user)
  }

  private func authorizations(_ server: LessonServer) -> [Bool] {
    server.log.snapshot().requests.map { $0["Authorization"] != nil }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a name in the URL is proposed, and nowhere to be read (A.6, AU-11)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .performDefault }
      #expect(await client.load(withUser(server.url("/basic"))).status == 200)
      #expect(client.seen.withLock { $0.map { $0.proposed?.user } } == ["lesson"])
      let cancelling = ChallengeClient(face) { _ in .cancel }
      let facts = await cancelling.load(withUser(server.url("/basic?realm=other&password=other")))
      let error = try #require(facts.error as? URLError)
      #expect(!"\(error) \(error.userInfo)".contains("secret"))
      for request in server.log.snapshot().requests {
        #expect(!request.fields.contains { $0.value.contains("secret") } && !request.target.contains("secret"))
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `what was accepted goes along unasked, at the same place of the same session`(
    face: ChallengeFace
  ) async throws {
    try await LessonServer.serving([.basic("/a/one"), .basic("/a/b/two"), .basic("/c")]) { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      for path in ["/a/one", "/a/b/two", "/c"] { #expect(await client.load(server.url(path)).status == 200) }
      #expect(authorizations(server) == [false, true, true, false, true])
      #expect(client.seen.withLock { $0.count } == 2)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a credential for one use is asked for again (AU-09)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret", .none) }
      for _ in 0..<2 { #expect(await client.load(server.url("/basic")).status == 200) }
      #expect(authorizations(server) == [false, true, false, true])
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `the next user of the same connection is authenticated as that user (AU-08)`(
    face: ChallengeFace
  ) async throws {
    try await LessonServer.serving([.basic("/x", user: "one", password: "1")]) { server in
      let client = ChallengeClient(face) { _ in .performDefault }
      #expect(await client.load(withUser(server.url("/x"), "one:1@")).status == 200)
      #expect(await client.load(withUser(server.url("/x"), "two:2@")).status == 401)
      #expect(authorizations(server) == [false, true, false, true])
      #expect(Set(server.log.snapshot().requests.compactMap { $0["Authorization"] }).count == 2)
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a redirect to another port takes no credential along (AU-01)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { other in
      let away = HeaderField("Location", other.url("/basic"))
      let guarded = Route("/away") { request in
        request.head["Authorization"] == nil
          ? .response(.unauthorized("Basic realm=lesson")) : .response(Response(302, fields: [away]))
      }
      try await LessonServer.serving([guarded]) { server in
        let client = ChallengeClient(face) { $0.space.port == Int(server.port) ? .login("a", "b") : .use(nil) }
        #expect(await client.load(server.url("/away")).status == 401)
        // The same with a field of the program's own, and with a name in the URL.
        let facts = await client.load(server.url("/away")) { request in
          request.setValue("Bearer x", forHTTPHeaderField: "Authorization")
          request.setValue("Basic x", forHTTPHeaderField: "Proxy-Authorization")
        }
        #expect(facts.status == 401)
        #expect(await client.load(withUser(server.url("/away"))).status == 401)
        for request in other.log.snapshot().requests {
          #expect(request["Authorization"] == nil && request["Proxy-Authorization"] == nil)
        }
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a name in a Location is no credential (RD-11)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { other in
      let away = HeaderField("Location", withUser(other.url("/basic")))
      try await LessonServer.serving([Route("/away", script: .response(Response(302, fields: [away])))]) { server in
        let client = ChallengeClient(face) { _ in .performDefault }
        #expect(await client.load(server.url("/away")).status == 401)
        #expect(authorizations(other) == [false])
      }
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a name in a Location that is no URL does not stand in the error (AU-11)`(face: ChallengeFace) async throws {
    let away = HeaderField("Location", "http://user:secret@[::1")
    try await LessonServer.serving([Route("/away", script: .response(Response(302, fields: [away])))]) { server in
      let client = ChallengeClient(face) { _ in .performDefault }
      let error = try #require(await client.load(server.url("/away")).error as? URLError)
      #expect(error.code == .redirectToNonExistentLocation)
      #expect(!"\(error) \(error.userInfo) \(error.localizedDescription)".contains("secret"))
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a field of the program's own stays while the server accepts it`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let client = ChallengeClient(face) { _ in .login("lesson", "secret") }
      let facts = await client.load(server.url("/basic")) {
        $0.setValue("Basic xyz", forHTTPHeaderField: "Authorization")
      }
      #expect(facts.status == 200)
      let values = server.log.snapshot().requests.map { $0["Authorization"] }
      #expect(values.count == 2 && values[0] == "Basic xyz" && values[1] != "Basic xyz")
    }
  }

  // MARK: Storage

  private func space(_ server: LessonServer, realm: String = "lesson", port: Int = 0) -> URLProtectionSpace {
    URLProtectionSpace(
      host: "127.0.0.1", port: Int(server.port) + port, protocol: NSURLProtectionSpaceHTTP, realm: realm,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
  }

  private func client(
    _ face: ChallengeFace, _ storage: URLCredentialStorage, _ decide: @escaping ChallengeClient.Decision
  ) -> ChallengeClient {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCredentialStorage = storage
    return ChallengeClient(face, configuration: configuration, decide)
  }

  /// NSURLConnection knows no other storage.
  private func storage(_ face: ChallengeFace) -> URLCredentialStorage {
    face.isConnection ? .shared : URLCredentialStorage()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `a stored credential is proposed in its own space only (A.6, AU-09)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let storage = storage(face)
      let credential = URLCredential(user: "lesson", password: "secret", persistence: .forSession)
      let client = client(face, storage) { _ in .performDefault }
      for other in [space(server, realm: "other"), space(server, port: 1)] { storage.set(credential, for: other) }
      #expect(await client.load(server.url("/basic")).status == 401)
      storage.set(credential, for: space(server))
      #expect(await client.load(server.url("/basic")).status == 200)
      #expect(client.seen.withLock { $0.map { $0.proposed?.user } } == [nil, "lesson"])
    }
  }

  @Test(arguments: ChallengeFace.allCases)
  func `what the delegate gave is stored once it was accepted (A.6)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let storage = storage(face)
      let changes = AsyncStream.makeStream(of: Void.self)
      let observer = NotificationCenter.default.addObserver(
        forName: Notification.Name("NSURLCredentialStorageChangedNotification"), object: storage, queue: nil
      ) { _ in changes.continuation.yield() }
      defer { NotificationCenter.default.removeObserver(observer) }
      let client = client(face, storage) { .login("lesson", $0.failures == 0 ? "wrong" : "secret") }
      #expect(await client.load(server.url("/basic")).status == 200)
      func stored() -> [String?] {
        let port = Int(server.port)
        return storage.allCredentials.filter { $0.key.port == port }.flatMap { $0.value.values.map(\.password) }
      }
      for await _ in changes.stream where !stored().isEmpty { break }
      #expect(stored() == ["secret"])
    }
  }

  @Test(arguments: [ChallengeFace.connection, .legacyConnection])
  func `without the credential storage nothing is proposed or remembered (A.6)`(face: ChallengeFace) async throws {
    try await LessonServer.serving { server in
      let stored = URLCredential(user: "lesson", password: "secret", persistence: .forSession)
      URLCredentialStorage.shared.set(stored, for: space(server))
      let client = ChallengeClient(face, usesStorage: false) { _ in .login("lesson", "secret") }
      for _ in 0..<2 { #expect(await client.load(server.url("/basic")).status == 200) }
      #expect(client.seen.withLock { $0.map { $0.proposed == nil } } == [true, true])
    }
  }

  // MARK: Faults

  @Test(arguments: FaultCatalogue.authentication)
  func `what nobody can answer is the response (AU-03, AU-06, AU-12, AU-15)`(fault: FaultCase) async throws {
    // sendAsynchronousRequest makes an error of every 401; ClassLoadTests say so.
    for face in Face.allCases where face != .asynchronous {
      var run = FaultRun(fault, on: face)
      try await run.run()
      for breach in run.breaches { Issue.record("\(breach)") }
    }
  }
}
