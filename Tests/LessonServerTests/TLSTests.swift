// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import LessonServer
import Testing

@Suite struct TLSTests {
  private func server(
    _ leaf: TLSSettings.Leaf = .trusted, _ authority: CertificateAuthority, routes: [Route] = Route.standard
  ) throws -> LessonServer {
    let server = LessonServer(routes: routes, tls: TLSSettings(leaf: leaf, authority: authority))
    try server.start()
    return server
  }

  @Test(arguments: [
    (TLSSettings.Leaf.trusted, X509_V_OK), (.expired, X509_V_ERR_CERT_HAS_EXPIRED),
    (.notYetValid, X509_V_ERR_CERT_NOT_YET_VALID), (.wrongHost, X509_V_ERR_HOSTNAME_MISMATCH),
    (.selfSigned, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT),
    (.unknownAuthority, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY), (.noSAN, X509_V_OK),
  ])
  func `each certificate has its one fault`(_ leaf: TLSSettings.Leaf, _ expected: CInt) async throws {
    let authority = try CertificateAuthority()
    let server = try server(leaf, authority)
    let result = try await onThread { try TLSTestClient(server, trusting: authority.pem).verifyResult }
    let accepted = leaf == .unknownAuthority ? [expected, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE] : [expected]
    #expect(accepted.contains(CInt(result)))
  }

  @Test func `the trusted certificate is good for 127 0 0 1 and the other authority's is not`() async throws {
    let (authority, other) = (try CertificateAuthority(), try CertificateAuthority())
    let server = try server(.trusted, authority)
    try await onThread {
      let results = try [(authority, "127.0.0.1"), (authority, "::1"), (other, "localhost")].map { authority, host in
        try TLSTestClient(server, trusting: authority.pem, host: host).verifyResult == X509_V_OK
      }
      #expect(results == [true, true, false])
    }
    #expect(server.url("/ok") == "https://127.0.0.1:\(server.port)/ok")
  }

  @Test func `bodies pass whole and end in order`() async throws {
    let authority = try CertificateAuthority()
    let server = try server(.trusted, authority)
    let (bytes, isOrderly) = try await onThread {
      let client = try TLSTestClient(server, trusting: authority.pem)
      client.send("GET /body?size=3MiB&seed=5 HTTP/1.1\r\nConnection: close\r\n\r\n")
      return client.readToEnd()
    }
    #expect(isOrderly)
    #expect(BodyChecksum(of: bytes.suffix(3 << 20)).value == SeededBody.checksum(seed: 5, size: 3 << 20))
    let log = server.log.settled(within: .seconds(90))
    #expect(log.sockets[0].tls?.version == "TLSv1.3")
    #expect(log.sockets[0].tls?.failure == nil)
    #expect(log.requests[0].bytesSent == bytes.count)
  }

  @Test func `a bare FIN leaves out the close_notify`() async throws {
    let authority = try CertificateAuthority()
    let server = try server(.trusted, authority, routes: [Route("/x", script: [.text("bye"), .end(.bareFin)])])
    let (bytes, isOrderly) = try await onThread {
      let client = try TLSTestClient(server, trusting: authority.pem)
      client.send("GET /x HTTP/1.1\r\n\r\n")
      return client.readToEnd()
    }
    #expect(bytes == Array("bye".utf8))
    #expect(!isOrderly)
  }

  @Test func `ALPN chooses what both know`() async throws {
    let authority = try CertificateAuthority()
    let server = try server(.trusted, authority)
    try await onThread {
      let chosen = try [["http/1.1"], ["http/1.1", "h2"], ["odd"], []].map { protocols in
        try TLSTestClient(server, trusting: authority.pem, offering: protocols).chosenProtocol
      }
      #expect(chosen == ["http/1.1", "h2", "", ""])
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
    #expect(server.log.snapshot().sockets.map(\.tls?.protocolName) == ["http/1.1", "h2", nil, nil])
  }

  @Test func `a session is taken up again`() async throws {
    let authority = try CertificateAuthority()
    let server = try server(.trusted, authority)
    try await onThread {
      let first = try TLSTestClient(server, trusting: authority.pem)
      first.send("GET /ok HTTP/1.1\r\nConnection: close\r\n\r\n")
      _ = first.readToEnd()
      let session = try #require(first.makeSession())
      defer { SSL_SESSION_free(session) }
      #expect(try TLSTestClient(server, trusting: authority.pem, resuming: session).isReused)
      #expect(!first.isReused)
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
    #expect(server.log.snapshot().sockets.map(\.tls?.resumed) == [false, true])
  }

  @Test func `plain text on the TLS port fails the handshake and nothing else`() async throws {
    let authority = try CertificateAuthority()
    let server = try server(.trusted, authority)
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /ok HTTP/1.1\r\n\r\n")
      #expect(client.readToEnd().end != .timeout)
      #expect(try TLSTestClient(server, trusting: authority.pem).verifyResult == X509_V_OK)
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
    #expect(server.log.snapshot().sockets[0].tls?.failure == "http request")
  }

  @Test func `a stop ends handshakes and transfers`() async throws {
    let authority = try CertificateAuthority()
    let server = try server(.trusted, authority)
    try await onThread {
      let silent = try TestClient(server)
      let busy = try TLSTestClient(server, trusting: authority.pem)
      busy.send("GET /body?size=100GiB HTTP/1.1\r\n\r\n")
      #expect(server.log.waitForRequests(1, within: .seconds(90)))
      server.stop()
      #expect(silent.readToEnd().end != .timeout)
      #expect(server.log.counts.live == 0)
    }
  }
}
