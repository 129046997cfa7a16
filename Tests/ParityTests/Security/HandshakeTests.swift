// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import ServerParts
import SessionAPI
import Testing

/// TLS on both APIs when nobody has a say about it (faults 4.9).
@Suite struct HandshakeTests {
  private func load(_ url: String, _ face: Face, idle: Duration = .seconds(60)) async throws -> Observation.Facts {
    let client = Client(face, idleTimeout: idle)
    var request = URLRequest(url: try #require(URL(string: url)))
    request.timeoutInterval = idle / .seconds(1)
    let facts = await client.load(request)
    await client.close()
    return facts
  }

  @Test(arguments: [
    (TLSSettings.Leaf.trusted, 0), (.expired, -1201), (.notYetValid, -1204), (.wrongHost, -1202), (.noSAN, -1202),
    (.selfSigned, -1202), (.unknownAuthority, -1203),
  ]) func `a certificate is judged for its own reason (TL-01 to TL-07)`(leaf: TLSSettings.Leaf, code: Int) async throws
  {
    let server = try TestAuthority.server(leaf)
    for face in Face.allCases {
      let facts = try await load(server.url("/ok"), face)
      #expect((facts.error as? URLError)?.errorCode ?? 0 == code, "\(face): \(String(describing: facts.error))")
      #expect(facts.body == (code == 0 ? Array("ok".utf8) : []), "\(face)")
      guard code != 0 else { continue }
      let trust = (facts.error as? URLError)?.failureURLPeerTrust
      #expect(trust.flatMap { SecTrustCopyCertificateChain($0) }?.isEmpty == false, "\(face)")
    }
    if code != 0 { #expect(server.log.snapshot().requests.isEmpty, "nothing was sent") }
    server.stop()
  }

  @Test(arguments: HandshakeFault.all)
  func `a handshake that goes wrong (TL-14, TL-15)`(fault: HandshakeFault) async throws {
    let server = LessonServer(opening: fault.opening)
    try server.start()
    for face in Face.allCases {
      let url = server.url("/ok").replacingOccurrences(of: "http:", with: "https:")
      let facts = try await load(url, face, idle: fault.code == -1001 ? .seconds(1) : .seconds(60))
      #expect((facts.error as? URLError)?.errorCode == fault.code, "\(face)")
    }
    server.stop()
  }

  @Test func `a body that ends without close_notify is whole only by its length (TL-16)`() async throws {
    let body = Step.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello")
    let counted = Response(body: .bytes(Array("hello".utf8)))
    let server = try TestAuthority.server(
      .trusted,
      routes: [
        Route("/cut", script: [body, .end(.bareFin)]),
        Route("/told", script: [body, .end(.fin)]),
        Route("/counted", script: [.response(counted), .end(.bareFin)]),
      ], protocols: ["http/1.1"])
    for face in Face.allCases {
      let cut = try await load(server.url("/cut"), face)
      #expect((cut.error as? URLError)?.code == .networkConnectionLost, "\(face)")
      for path in ["/told", "/counted"] {
        let facts = try await load(server.url(path), face)
        #expect(facts.error == nil && facts.body == Array("hello".utf8), "\(face) \(path)")
      }
    }
    server.stop()
  }
}
