// SPDX-License-Identifier: Apache-2.0
import CNGHTTP2
import Foundation
import LessonServer
import Testing

@Suite struct HTTP2Tests {
  private func server(routes: [Route] = Route.standard) throws -> (LessonServer, pem: String) {
    let authority = try CertificateAuthority()
    let server = LessonServer(routes: routes, tls: TLSSettings(authority: authority))
    try server.start()
    return (server, authority.pem)
  }

  @Test func `many streams share one connection`() async throws {
    let (server, pem) = try server()
    try await onThread {
      let client = try HTTP2TestClient(server, trusting: pem)
      let streams = (0..<100).map { client.submit("/body?size=\(10_000 + $0)&seed=\($0)") }
      client.run(untilClosed: 100)
      for (index, id) in streams.enumerated() {
        let answer = try #require(client.answers[id])
        #expect(answer.status == 200)
        #expect(answer.fields["content-length"] == "\(10_000 + index)")
        #expect(answer.errorCode == 0)
        #expect(answer.body == SeededBody(seed: UInt64(index)).bytes(0..<Int64(10_000 + index)))
      }
    }
    let log = server.log.settled(within: .seconds(90))
    #expect(log.sockets.count == 1)
    #expect(log.sockets[0].requests == 100)
    #expect(log.sockets[0].tls?.protocolName == "h2")
    #expect(log.requests.count == 100)
    #expect(log.requests.allSatisfy { $0.answerLines.first == "HTTP/2 200" })
    #expect(log.requests[7].answerLines.contains("content-length: 10007"))
    #expect(log.requests.allSatisfy { $0.version == "HTTP/2" && $0.status == 200 })
    #expect(log.requests[0].bytesSent == 10_000)
    for request in log.requests {
      let (answered, ended) = (try #require(request.answered), try #require(request.ended))
      #expect(request.began <= answered && answered <= ended)
    }
  }

  @Test func `the standard routes answer as over HTTP 1 1`() async throws {
    let (server, pem) = try server()
    try await onThread {
      let client = try HTTP2TestClient(server, trusting: pem)
      let paths = [
        "/ok", "/json", "/1k", "/status/404", "/nothing", "/body?size=50&length=none", "/redirect/302?to=/ok",
      ]
      let ids = paths.map { client.submit($0) }
      let head = client.submit("/1k", method: "HEAD")
      client.run(untilClosed: 8)
      #expect(ids.map { client.answers[$0]?.status } == [200, 200, 200, 404, 404, 200, 302])
      #expect(client.answers[ids[0]]?.body == Array("ok".utf8))
      #expect(client.answers[ids[2]]?.body == SeededBody(seed: 1).bytes(0..<1024))
      #expect(client.answers[ids[5]]?.body.count == 50)
      #expect(client.answers[ids[5]]?.fields["connection"] == nil)
      #expect(client.answers[ids[6]]?.fields["location"] == "/ok")
      #expect(client.answers[head]?.fields["content-length"] == "1024")
      #expect(client.answers[head]?.body == [])
    }
  }

  @Test func `an upload is counted and an echo tells the method`() async throws {
    let (server, pem) = try server()
    try await onThread {
      let client = try HTTP2TestClient(server, trusting: pem)
      let bytes = SeededBody(seed: 3).bytes(0..<300_000)
      let upload = client.submit("/upload", method: "PUT", body: bytes)
      let echo = client.submit("/echo", method: "PATCH")
      client.run(untilClosed: 2)
      let answer = try JSONDecoder().decode(UploadAnswer.self, from: Data(client.answers[upload]?.body ?? []))
      #expect(answer == UploadAnswer(bytes: 300_000, checksum: BodyChecksum(of: bytes).value))
      let echoed = try JSONDecoder().decode(EchoAnswer.self, from: Data(client.answers[echo]?.body ?? []))
      #expect(echoed.method == "PATCH")
      #expect(echoed.version == "HTTP/2")
    }
    let log = server.log.settled(within: .seconds(90))
    #expect(log.requests(for: "/upload").map(\.bodyBytes) == [300_000])
  }

  @Test func `a waiting stream holds up no other`() async throws {
    let (server, pem) = try server()
    try await onThread {
      let clock = ContinuousClock()
      let client = try HTTP2TestClient(server, trusting: pem)
      let slow = (0..<20).map { _ in client.submit("/wait?seconds=0.3") }
      let quick = client.submit("/ok")
      let rated = client.submit("/body?size=10KiB&rate=40KiB")
      let time = clock.measure { client.run(untilClosed: 22) }
      #expect(client.closed.first == quick)
      #expect(slow.allSatisfy { client.answers[$0]?.body == Array("ok".utf8) })
      #expect(client.answers[rated]?.body.count == 10 << 10)
      #expect(time >= .milliseconds(300))
    }
  }

  @Test func `raw bytes have no meaning here`() async throws {
    let (server, pem) = try server(routes: [Route("/raw", script: [.text("HTTP/1.1 200 OK\r\n\r\n")])] + Route.standard)
    try await onThread {
      let client = try HTTP2TestClient(server, trusting: pem)
      let raw = client.submit("/raw")
      client.run(untilClosed: 1)
      #expect(client.answers[raw]?.errorCode == NGHTTP2_INTERNAL_ERROR.rawValue)
      let ok = client.submit("/ok")
      client.run(untilClosed: 2)
      #expect(client.answers[ok]?.status == 200)
    }
  }

  @Test func `a stop ends streams that wait for ever`() async throws {
    let (server, pem) = try server()
    try await onThread {
      let client = try HTTP2TestClient(server, trusting: pem)
      client.submit("/never")
      client.submit("/body?size=100GiB")
      client.flush()
      #expect(server.log.waitForRequests(2, within: .seconds(90)))
      server.stop()
      client.run(untilClosed: 2)
      #expect(server.log.counts.live == 0)
      #expect(server.log.counts.inFlight == 0)
    }
  }
}
