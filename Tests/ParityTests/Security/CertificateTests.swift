// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// Certificates and offers of servers that nobody has a say about, row by row (faults 4.9).
@Suite(.exitTests) struct CertificateTests {
  private static func server(_ change: (inout TLSSettings) -> Void) throws -> LessonServer {
    var settings = TLSSettings(authority: TestAuthority.shared)
    change(&settings)
    let server = LessonServer(tls: settings)
    try server.start()
    return server
  }

  private static func load(_ url: String, _ face: Face) async throws -> Observation.Facts {
    return await Client.load(URLRequest(url: try #require(URL(string: url))), on: face)
  }

  /// Loads from `server` by each way, and expects this code of NSURLErrorDomain, or a success for 0.
  private static func expect(
    _ code: Int, from server: LessonServer, host: String = "127.0.0.1", _ faces: [Face] = Face.allCases
  ) async throws {
    for face in faces {
      let facts = try await load(server.url("/ok", host: host), face)
      #expect((facts.error as? URLError)?.errorCode ?? 0 == code, "\(face): \(String(describing: facts.error))")
      #expect(facts.body == (code == 0 ? Array("ok".utf8) : []), "\(face)")
    }
    if code != 0 { #expect(server.log.snapshot().requests.isEmpty, "nothing was sent") }
    server.stop()
  }

  @Test(arguments: [
    (TLSSettings.Leaf.expiredIntermediate, -1201), (.missingIntermediate, -1203), (.signedByServer, -1202),
    (.outsideOfNames, -1202), (.clientOnly, -1202), (.smallKey, -1202), (.sha1, -1202), (.manyNames, 0),
    (.reversedChain, 0),
  ]) func `a chain is judged as a whole (TL-01, TL-07 to TL-10)`(leaf: TLSSettings.Leaf, code: Int) async throws {
    try await Self.expect(code, from: Self.server { $0.leaf = leaf })
  }

  @Test(arguments: [
    ("DNS:*.localhost", "a.b.localhost"), ("DNS:*.localhost", "localhost"), ("DNS:*", "localhost"),
    ("DNS:localhost", "127.0.0.1"), ("DNS:127.0.0.1", "127.0.0.1"),
    // TL-05: dNSName "localhost", NUL, ".example".
    ("DER:301482126c6f63616c686f7374002e6578616d706c65", "localhost"),
  ]) func `a name that only looks right is not enough (TL-03, TL-05)`(names: String, host: String) async throws {
    try await Self.expect(-1202, from: Self.server { $0.names = names }, host: host)
  }

  @Test(arguments: [TLSSettings.Offer.tls10, .tls11, .nullCipher, .anonymous, .smallGroup])
  func `what has been broken is not spoken (TL-11)`(offer: TLSSettings.Offer) async throws {
    try await Self.expect(-1200, from: Self.server { $0.offer = offer })
  }

  /// libcurl reads the file for each handshake, and a session alone could take up an earlier one; so each has a process.
  @Test(arguments: ["missing", "empty", "directory", "large"])
  func `authorities that cannot be read are no reason to trust everybody (TL-21)`(kind: String) async throws {
    let server = try Self.server { _ in }
    let place = FileManager.default.temporaryDirectory.appending(path: "authorities-\(UUID().uuidString)")
    switch kind {
    case "empty": try Data().write(to: place)
    case "directory": try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    case "large":
      try Data().write(to: place)
      try FileHandle(forWritingTo: place).truncate(atOffset: 100 << 20)
    default: break
    }
    await #expect(processExitsWith: .success) {
      [path = place.path as String, url = server.url("/ok") as String] in
      setenv("SSL_CERT_FILE", path, 1)
      for face in Face.allCases {
        let facts = try await Self.load(url, face)
        #expect((facts.error as? URLError)?.code == .secureConnectionFailed, "\(face)")
      }
    }
    #expect(server.log.snapshot().requests.isEmpty)
    try? FileManager.default.removeItem(at: place)
    server.stop()
  }

  @Test func `no server makes the next request secure (RFC 6797 is absent) (TL-22)`() async throws {
    let policy = Response(
      fields: [HeaderField("Strict-Transport-Security", "max-age=1000; includeSubDomains")], body: .bytes([111, 107]))
    let secure = LessonServer(
      routes: [Route("/ok", script: .response(policy))], tls: TLSSettings(authority: TestAuthority.shared))
    let plain = LessonServer(routes: [Route("/ok", script: .response(policy))])
    try secure.start()
    try plain.start()
    for face in Face.allCases {
      let client = Client(face)
      for url in [plain, secure, plain].map({ $0.url("/ok", host: "localhost") }) {
        let observation = client.start(URLRequest(url: try #require(URL(string: url))))
        #expect(await observation.hasEnded(within: .seconds(90)))
        #expect(observation.facts.status == 200, "\(face) \(url)")
      }
      await client.close()
    }
    #expect(plain.log.snapshot().requests.count == 2 * Face.allCases.count)
    secure.stop()
    plain.stop()
  }
}
