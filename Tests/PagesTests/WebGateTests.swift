// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Pages

/// Who gets in, and what is read as a request.
struct WebGateTests {
  private let gate = WebGate(token: "secret", port: 8080)

  private func request(
    _ method: WebRequest.Method = .get, host: String? = "127.0.0.1:8080", cookie: String? = "workbench-8080=secret",
    origin: String? = nil, query: [String: String] = [:]
  ) -> WebRequest {
    var request = WebRequest(method: method, address: "/runs", query: query)
    request.fields = ["host": host, "cookie": cookie, "origin": origin].compactMapValues { $0 }
    return request
  }

  private func status(_ request: WebRequest) -> WebStatus? {
    if case .refuse(let status, _) = gate.decision(on: request) { status } else { nil }
  }

  @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST:8080"])
  func `a browser with the cookie gets in by each name of loopback`(_ host: String) {
    #expect(gate.decision(on: request(host: host)) == .pass)
  }

  @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:80"])
  func `on port 80 a browser gets in without a port in Host`(_ host: String) {
    let gate = WebGate(token: "secret", port: 80)
    #expect(gate.decision(on: request(host: host, cookie: "workbench-80=secret")) == .pass)
    let post = request(.post, host: host, cookie: "workbench-80=secret", origin: "http://\(host)")
    #expect(gate.decision(on: post) == .pass)
  }

  @Test(arguments: ["evil.example", "127.0.0.1", "127.0.0.1:81", "127.0.0.1.evil.example:8080", "", nil])
  func `another host is refused, even with the token`(_ host: String?) {
    #expect(status(request(host: host, query: ["token": "secret"])) == .misdirected)
  }

  @Test(arguments: [nil, "workbench-8080=secre", "workbench-8080=", "workbench-81=secret", "x=secret"])
  func `without the token nobody gets in`(_ cookie: String?) {
    #expect(status(request(cookie: cookie)) == .forbidden)
    #expect(status(request(cookie: cookie, query: ["token": "Secret"])) == .forbidden)
  }

  @Test func `the token in the address becomes a cookie that no script and no other site can use`() {
    #expect(gate.decision(on: request(cookie: nil, query: ["token": "secret"])) == .welcome("/runs"))
    #expect(gate.setCookie.hasSuffix("; HttpOnly; SameSite=Strict"))
    #expect(status(request(.post, cookie: nil, query: ["token": "secret"])) == .forbidden)
  }

  @Test(arguments: [nil, "null", "http://evil.example", "http://localhost:8080", "https://127.0.0.1:8080"])
  func `what changes something comes from our own origin`(_ origin: String?) {
    #expect(status(request(.post, origin: origin)) == .forbidden)
    #expect(gate.decision(on: request(.post, origin: "http://127.0.0.1:8080")) == .pass)
  }

  @Test(arguments: [
    ("", WebStatus.badRequest), ("GET /", .badRequest), ("GET / HTTP/2", .badRequest),
    ("GET http://evil.example/ HTTP/1.1", .badRequest), ("GET //evil.example HTTP/1.1", .badRequest),
    ("GET /\\evil.example HTTP/1.1", .badRequest), ("GET /a\\..\\evil.example HTTP/1.1", .badRequest),
    ("GET /\u{7F}evil.example HTTP/1.1", .badRequest), ("GET /\t/evil.example HTTP/1.1", .badRequest),
    ("GET /a\nSet-Cookie:x HTTP/1.1", .badRequest), ("DELETE / HTTP/1.1", .methodNotAllowed),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", .badRequest), ("GET / HTTP/1.1\r\n folded", .badRequest),
    ("GET / HTTP/1.1\r\nHost : a", .badRequest),
  ])
  func `what is no request of ours is refused`(_ head: String, _ status: WebStatus) {
    #expect(throws: WebRefusal(status)) { try WebRequest(head: Array(head.utf8)) }
  }

  @Test(arguments: [
    ("Content-Length: 4097", WebStatus.tooLarge), ("Content-Length: 99999999999999999999", .tooLarge),
    ("Content-Length: -1", .badRequest), ("Content-Length: 1,1", .badRequest),
    ("Transfer-Encoding: chunked", .lengthRequired),
  ])
  func `a form has a length, and not too much of it`(_ field: String, _ status: WebStatus) throws {
    let request = try WebRequest(head: Array("POST / HTTP/1.1\r\n\(field)".utf8))
    #expect(throws: WebRefusal(status)) { try request.bodyLength() }
  }

  @Test func `a server waits where the next connection would fail as well`() {
    for number in [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM] { #expect(!WebServer.isPassing(number)) }
    for number in [EAGAIN, ECONNABORTED, EINTR, EPROTO] { #expect(WebServer.isPassing(number)) }
  }

  @Test func `parameters are decoded, and the first of a name counts`() throws {
    let request = try WebRequest(head: Array("GET /a?x=%E4%B8%AD+1&x=2&y HTTP/1.1\r\nCookie: a=1; b=2=3".utf8))
    #expect(request.query == ["x": "中 1", "y": ""])
    #expect(request.cookies == ["a": "1", "b": "2=3"])
  }
}
