// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import Testing

/// Servers that ask for a certificate of their client (TL-12, TL-13, TL-20; A.6, B.11).
@Suite struct IdentityTests {
  private static let method = NSURLAuthenticationMethodClientCertificate
  private static let ok = Array("ok".utf8)

  private static func identity(
    _ name: String, from authority: CertificateAuthority, days: ClosedRange<Int> = -1...30
  ) throws -> SecIdentity {
    let (certificate, key) = try authority.makeClient(named: name, days: days)
    return try #require(SecIdentity(certificates: Data(certificate.utf8), key: Data(key.utf8)))
  }

  private static func server(
    _ wish: TLSSettings.ClientCertificate, isOld: Bool = false
  ) throws -> LessonServer {
    var settings = TLSSettings(authority: TestAuthority.shared)
    settings.clientCertificate = wish
    if isOld { settings.offer = .tls12 }
    let server = LessonServer(tls: settings)
    try server.start()
    return server
  }

  /// Answers with an identity, and leaves all else to the system.
  private static func show(
    _ identity: SecIdentity, _ persistence: URLCredential.Persistence = .none
  ) -> ChallengeClient.Decision {
    let credential = URLCredential(identity: identity, certificates: nil, persistence: persistence)
    return { $0.space.authenticationMethod == method ? .use(credential) : .performDefault }
  }

  /// The names that clients showed on connections that carried requests.
  private static func names(_ server: LessonServer) -> [String?] {
    let log = server.log.snapshot()
    return log.requests.map { request in log.sockets.first { $0.id == request.socket }?.tls?.clientName }
  }

  @Test(arguments: ChallengeFace.allCases, [false, true])
  func `an identity is asked for before anything is sent, and shown (A.6)`(face: ChallengeFace, isOld: Bool)
    async throws
  {
    for wish in [TLSSettings.ClientCertificate.wanted, .required] {
      let server = try Self.server(wish, isOld: isOld)
      let client = ChallengeClient(face, Self.show(try Self.identity("anna", from: TestAuthority.shared)))
      let facts = await client.load(server.url("/ok"))
      #expect(facts.body == Self.ok && facts.error == nil, "\(String(describing: facts.error))")
      #expect(Self.names(server) == ["anna"])
      let seen = client.seen.withLock { $0 }
      #expect(client.methods == [NSURLAuthenticationMethodServerTrust, Self.method])
      #expect(seen.last?.space.distinguishedNames?.count == 1)
      server.stop()
    }
  }

  @Test(arguments: ChallengeFace.allCases, [false, true])
  func `none is shown (TL-12)`(face: ChallengeFace, isOld: Bool) async throws {
    let wanting = try Self.server(.wanted, isOld: isOld)
    let requiring = try Self.server(.required, isOld: isOld)
    for answer in [Answer.use(nil), .performDefault, .reject] {
      let client = ChallengeClient(face) { $0.space.authenticationMethod == Self.method ? answer : .performDefault }
      #expect(await client.load(wanting.url("/ok")).body == Self.ok)
      let error = await client.load(requiring.url("/ok")).error as? URLError
      #expect(error?.code == .clientCertificateRequired, "\(answer)")
    }
    #expect(Self.names(wanting) == [nil, nil, nil] && Self.names(requiring).isEmpty)
    let cancelling = ChallengeClient(face) {
      $0.space.authenticationMethod == Self.method ? .cancel : .performDefault
    }
    #expect((await cancelling.load(wanting.url("/ok")).error as? URLError)?.errorCode == face.cancelCode)
    wanting.stop()
    requiring.stop()
  }

  @Test(arguments: Face.allCases, [false, true])
  func `with nobody to ask a server that requires one refuses (TL-12)`(face: Face, isOld: Bool) async throws {
    let server = try Self.server(.required, isOld: isOld)
    let client = Client(face)
    let observation = client.start(URLRequest(url: try #require(URL(string: server.url("/ok")))))
    #expect(await observation.hasEnded(within: .seconds(90)))
    #expect((observation.facts.error as? URLError)?.code == .clientCertificateRequired)
    await client.close()
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases, [false, true])
  func `an identity that the server does not trust, or no longer (TL-13)`(face: ChallengeFace, isOld: Bool) async throws
  {
    let server = try Self.server(.required, isOld: isOld)
    let stranger = try Self.identity("anna", from: CertificateAuthority())
    let former = try Self.identity("anna", from: TestAuthority.shared, days: -20...(-2))
    for identity in [stranger, former] {
      let client = ChallengeClient(face, Self.show(identity))
      let error = await client.load(server.url("/ok")).error as? URLError
      #expect(error?.code == .clientCertificateRejected)
    }
    #expect(Self.names(server).isEmpty)
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases)
  func `no connection is shared between identities, nor with none (TL-20)`(face: ChallengeFace) async throws {
    let server = try Self.server(.wanted)
    let current = Locked<SecIdentity?>(nil)
    let client = ChallengeClient(face) { challenge in
      guard challenge.space.authenticationMethod == Self.method else { return .performDefault }
      return .use(
        current.withLock { $0 }.map { URLCredential(identity: $0, certificates: nil, persistence: .none) })
    }
    let anna = try Self.identity("anna", from: TestAuthority.shared)
    let bert = try Self.identity("bert", from: TestAuthority.shared)
    for identity in [anna, bert, nil, anna, nil, bert] {
      current.withLock { $0 = identity }
      #expect(await client.load(server.url("/ok")).body == Self.ok)
    }
    // A connection on which nothing was shown is used again without a question; one with an identity only for it.
    let names = Self.names(server)
    #expect(names.prefix(3) == ["anna", "bert", nil])
    let log = server.log.snapshot()
    for socket in log.sockets {
      let shown = Set(log.requests.filter { $0.socket == socket.id }.indices.map { _ in socket.tls?.clientName })
      #expect(shown.count <= 1)
    }
    server.stop()
  }

  @Test(arguments: ChallengeFace.allCases.filter { !$0.isConnection })
  func `an identity for the session is asked for once`(face: ChallengeFace) async throws {
    let server = try Self.server(.required)
    let client = ChallengeClient(face, Self.show(try Self.identity("anna", from: TestAuthority.shared), .forSession))
    for _ in 0..<3 { #expect(await client.load(server.url("/ok")).body == Self.ok) }
    #expect(client.seen.withLock { $0.filter { $0.space.authenticationMethod == Self.method }.count } == 1)
    #expect(Self.names(server) == ["anna", "anna", "anna"])
    server.stop()
  }

  @Test func `a PKCS 12 file opens with its passphrase alone`() async throws {
    let file = Data(try TestAuthority.shared.makeClientFile(named: "carl", passphrase: "open"))
    #expect(SecIdentity(pkcs12: file, passphrase: "wrong") == nil)
    for length in stride(from: 0, to: file.count, by: 7) {
      #expect(SecIdentity(pkcs12: file.prefix(length), passphrase: "open") == nil)
    }
    let identity = try #require(SecIdentity(pkcs12: file, passphrase: "open"))
    let server = try Self.server(.required)
    let client = ChallengeClient(.dataTask, Self.show(identity))
    #expect(await client.load(server.url("/ok")).body == Self.ok)
    #expect(Self.names(server) == ["carl"])
    server.stop()
  }

  @Test func `a key of another certificate is no identity`() throws {
    let (certificate, _) = try TestAuthority.shared.makeClient(named: "anna")
    let (_, key) = try TestAuthority.shared.makeClient(named: "bert")
    #expect(SecIdentity(certificates: Data(certificate.utf8), key: Data(key.utf8)) == nil)
    #expect(SecIdentity(certificates: Data(), key: Data(key.utf8)) == nil)
    #expect(SecIdentity(certificates: Data("x".utf8), key: Data("-----BEGIN".utf8)) == nil)
  }
}
