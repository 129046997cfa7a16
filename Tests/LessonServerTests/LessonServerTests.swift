// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@Suite struct LessonServerTests {
  @Test func `a kept connection takes one request after the other`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      for _ in 0..<3 {
        let answer = try client.get("/ok")
        #expect(answer.status == 200)
        #expect(answer.body == Array("ok".utf8))
      }
      #expect(try client.get("/1k").body == SeededBody(seed: 1).bytes(0..<1024))
      let json = try client.get("/json")
      #expect(json["Content-Type"] == "application/json")
      #expect(try JSONSerialization.jsonObject(with: Data(json.body)) is [String: Any])
    }
    #expect(server.log.counts.opened == 1)
    #expect(server.log.counts.ended == 5)
  }

  @Test func `HEAD gets the fields of GET and no body`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get("/1k", method: "HEAD")["Content-Length"] == "1024")
      #expect(try client.get("/body?size=5000", method: "HEAD")["Content-Length"] == "5000")
      #expect(try client.get("/ok").body.count == 2)
    }
  }

  @Test func `a path that is not there is a 404 that names it`() async throws {
    let server = try startedServer()
    try await onThread {
      let answer = try TestClient(server).get("/nothing")
      #expect(answer.status == 404)
      #expect(String(decoding: answer.body, as: UTF8.self) == "The lesson server has no route GET /nothing.\n")
    }
  }

  @Test(arguments: [
    ("localhost:8080", 200), ("LOCALHOST", 200), ("127.0.0.1:1", 200), ("127.9.9.9", 200), ("[::1]:8080", 200),
    ("notes.localhost", 200), ("", 200), ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("127.evil.0.1", 421),
    ("localhost.evil.example", 421), ("evillocalhost", 421), ("10.0.0.1", 421), ("[::2]", 421),
  ])
  func `a Host that is no name of this machine gets a sentence and nothing else`(host: String, status: Int) async throws
  {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /ok HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      let answer = try client.readAnswer()
      #expect(answer.status == status)
      if status == 421 { #expect(String(decoding: answer.body, as: UTF8.self).contains("not to this Host")) }
    }
  }

  @Test func `a generated body arrives whole`() async throws {
    let server = try startedServer()
    try await onThread {
      let size: Int64 = 16 << 20
      let answer = try TestClient(server).get("/body?size=16MiB&seed=7")
      #expect(answer.body.count == Int(size))
      #expect(BodyChecksum(of: answer.body).value == SeededBody.checksum(seed: 7, size: size))
    }
    let log = server.log.settled(within: .seconds(90))
    #expect(log.bytesSent == log.requests[0].bytesSent)
    #expect(log.bytesSent > 16 << 20)
  }

  @Test func `pipelined requests are answered in order`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("\r\nGET /ok HTTP/1.1\r\n\r\nGET /1k HTTP/1.1\r\n\r\nGET /ok HTTP/1.1\r\n\r\n")
      #expect(try [client.readAnswer(), client.readAnswer(), client.readAnswer()].map(\.body.count) == [2, 1024, 2])
    }
  }

  @Test func `a request that asks for the end gets it`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /ok HTTP/1.0\r\n\r\n")
      #expect(try client.readAnswer().body.count == 2)
      #expect(client.readToEnd().end == .fin)
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
  }

  @Test func `no server of a process has the port of another before it`() throws {
    // Of 600 ports chosen by the system, some are the same.
    let ports = try (0..<600).map { _ in
      let server = LessonServer()
      try server.start()
      defer { server.stop() }
      return server.port
    }
    #expect(Set(ports).count == ports.count)
  }

  @Test func `a port in use is named with its cure`() throws {
    let server = try startedServer()
    let second = LessonServer(port: server.port)
    let error = #expect(throws: LessonServerError.self) { try second.start() }
    #expect(error?.code == .portInUse)
    #expect(
      error?.description == "Port \(server.port) is already in use by another program. "
        + "Choose another port, or leave it out and the system chooses a free one.")
  }

  @Test func `it listens on 127.0.0.1 only`() throws {
    let server = try startedServer()
    // A listener on all addresses would hold the port on 127.0.0.2, too.
    let probe = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    func canListen(on host: String) -> Bool {
      address.sin_addr.s_addr = inet_addr(host)
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }
    #expect(!canListen(on: "127.0.0.1"))
    #expect(canListen(on: "127.0.0.2"))
    withExtendedLifetime(server) {}
  }

  @Test func `stop ends transfers in mid-flight and may be called twice`() async throws {
    let server = try startedServer()
    try await onThread {
      let idle = try TestClient(server)
      #expect(try idle.get("/ok").status == 200)
      let busy = try TestClient(server)
      busy.send("GET /body?size=100GiB HTTP/1.1\r\n\r\n")
      _ = try busy.readHead()
      server.stop()
      #expect(idle.readToEnd().end != .timeout)
      #expect(busy.readToEnd().end != .timeout)
      #expect(server.log.counts.live == 0)
      server.stop()
      #expect(throws: POSIXError.self) { _ = try TestClient(server) }
    }
  }

  @Test func `a thousand connections are held at once and all let go`() async throws {
    try #require(LessonServer.raiseFileLimit() >= 2500, "needs a limit of 2,500 open files: ulimit -Hn")
    let server = try startedServer()
    try await onThread {
      let clients = try (0..<1000).map { _ in try TestClient(server) }
      for client in clients { client.send("GET /wait?seconds=0.2 HTTP/1.1\r\n\r\n") }
      #expect(try clients.allSatisfy { try $0.readAnswer().body == Array("ok".utf8) })
      #expect(server.log.counts.live == 1000)
      server.stop()
      #expect(server.log.counts.live == 0)
      #expect(clients.allSatisfy { $0.readToEnd().end != .timeout })
    }
  }

  @Test func `a stopped server starts again`() async throws {
    let server = try startedServer()
    server.stop()
    try server.start()
    let status = try await onThread { try TestClient(server).get("/ok").status }
    #expect(status == 200)
  }
}
