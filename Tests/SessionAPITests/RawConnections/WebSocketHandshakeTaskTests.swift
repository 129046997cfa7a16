// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.8: "auth, redirect, cookies as HTTP, before the handshake completes", and what a refusal looks like.
@Suite struct WebSocketHandshakeTaskTests {
  /// A route that opens a WebSocket for whoever knows the password.
  static let guarded = Route("/guarded") { request in
    guard request.head["Authorization"] == "Basic bGVzc29uOnNlY3JldA==" else {
      return .response(
        Response(401, fields: [HeaderField("WWW-Authenticate", "Basic realm=\"lesson\"")], body: .bytes([1, 2, 3])))
    }
    return [.acceptSocket(protocol: nil), .echoMessages(fragment: .max)]
  }

  @Test(arguments: ["/ok", "/status/404", "/status/500", "/401"])
  func `an answer other than 101 is -1011, and the response says which (B8)`(path: String) async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task(path)
    #expect(await task.next() == "-1011")
    let events = try await fixture.events().filter { if case .challenge = $0 { false } else { true } }
    #expect(events == [.created, .metrics(transactions: 1), .complete(-1011)])
    let status = ["/ok": 200, "/status/404": 404, "/status/500": 500, "/401": 401][path]
    #expect((task.response as? HTTPURLResponse)?.statusCode == status)
    #expect((task.error as? URLError)?.failureURLString == task.originalRequest?.url?.absoluteString)
  }

  @Test func `credentials open a WebSocket (B8)`() async throws {
    let credential = URLCredential(user: "lesson", password: "secret", persistence: .none)
    let fixture = try SocketFixture([Self.guarded], credential: credential)
    let task = try fixture.task("/guarded")
    try await task.send(.string("in"))
    #expect(await task.next() == "in")
    task.cancel(with: .normalClosure, reason: nil)
    #expect(
      try await fixture.events() == [
        .created, .challenge(NSURLAuthenticationMethodHTTPBasic), .open(nil), .closed(.normalClosure, nil),
        .metrics(transactions: 2), .complete(nil),
      ])
  }

  @Test(arguments: ["/redirect/302?to=/socket", "/redirect/307?to=/socket"])
  func `a redirect is followed to the WebSocket (B8)`(path: String) async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task(path)
    try await task.send(.string("there"))
    #expect(await task.next() == "there")
    #expect(task.currentRequest?.url == (try fixture.url("/socket")))
    #expect(task.originalRequest?.url == (try fixture.url(path)))
    #expect(fixture.recorder.log.all.prefix(3) == [.created, .redirect(path.contains("302") ? 302 : 307), .open(nil)])
  }

  @Test func `a redirect may lead to a URL of ws (B8)`() async throws {
    let fixture = try SocketFixture(
      Route.standard + [
        Route("/to-ws") { request in
          let target = "ws://\(request.head["Host"] ?? "")/socket"
          return .response(Response(301, fields: [HeaderField("Location", target)]))
        }
      ])
    let task = try fixture.task("/to-ws")
    try await task.send(.string("there"))
    #expect(await task.next() == "there")
  }

  @Test func `a redirect without end is -1007 (B8)`() async throws {
    let fixture = try SocketFixture()
    #expect(await (try fixture.task("/loop")).next() == "-1007")
  }

  @Test func `cookies, additional fields and the request's own fields go along (B8)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Session": "all"]
    let script: Script = [
      .bytes(Array("HTTP/1.1 404 Not here\r\nSet-Cookie: late=1; Path=/\r\n\r\n".utf8)), .end(.fin),
    ]
    let fixture = try SocketFixture(Route.standard + [Route("/late", script: script)], configuration: configuration)
    let url = try #require(URL(string: fixture.server.url("/cookies?set=a%3Db")))
    _ = try await fixture.session.data(from: url)
    #expect(await (try fixture.task("/late")).next() == "-1011")
    var request = URLRequest(url: try fixture.url("/socket?protocol=two"))
    request.setValue("one, two", forHTTPHeaderField: "Sec-WebSocket-Protocol")
    request.setValue("mine", forHTTPHeaderField: "X-Own")
    request.setValue("permessage-deflate", forHTTPHeaderField: "Sec-WebSocket-Extensions")
    request.setValue("close", forHTTPHeaderField: "Connection")
    let task = fixture.session.webSocketTask(with: request)
    task.resume()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    #expect(fixture.recorder.log.all.contains(.open("two")))
    let seen = try #require(fixture.server.log.snapshot().requests(for: "/socket").first)
    #expect(Set((seen["Cookie"] ?? "").split(separator: "; ")) == ["a=b", "late=1"])
    #expect(seen["X-Session"] == "all" && seen["X-Own"] == "mine")
    #expect(seen["Sec-WebSocket-Protocol"] == "one, two" && seen["Sec-WebSocket-Extensions"] == nil)
    #expect(seen["Connection"] == "Upgrade" && seen["Host"] == "127.0.0.1:\(fixture.server.port)")
  }

  @Test(arguments: ["http", "https", "file", "data"])
  func `only ws and wss are schemes of a WebSocket (E8)`(scheme: String) async throws {
    let fixture = try SocketFixture()
    let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(fixture.server.port)/socket"))
    let task = fixture.session.webSocketTask(with: url)
    #expect(task.originalRequest?.url == url)
    task.resume()
    #expect(await task.next() == "-1002")
    #expect(try await fixture.events().last == .complete(-1002))
    #expect(fixture.server.log.snapshot().requests.isEmpty)
  }

  @Test func `a sub-protocol that nobody offered is refused (B8)`() async throws {
    let fixture = try SocketFixture()
    #expect(await (try fixture.task("/socket?protocol=other", protocols: ["mine"])).next() == "-1011")
    #expect(await (try fixture.task("/socket", protocols: ["two words"])).next() == "-1000")
  }

  @Test func `nobody is there, and nobody answers (B8)`() async throws {
    let fixture = try SocketFixture()
    let port = ClosedPort()
    let closed = try #require(URL(string: "ws" + port.url.dropFirst(4)))
    let task = fixture.session.webSocketTask(with: closed)
    task.resume()
    #expect(await task.next() == "-1004")
    var request = URLRequest(url: try fixture.url("/never"))
    request.timeoutInterval = 0.2
    let silent = fixture.session.webSocketTask(with: request)
    silent.resume()
    #expect(await silent.next() == "-1001")
  }

  @Test func `the resource time-out ends an open WebSocket (B4)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 0.3
    let fixture = try SocketFixture(configuration: configuration)
    let task = try fixture.task()
    #expect(await task.next() == "-1001")
    #expect(try await fixture.events().last == .complete(-1001))
  }

  @Test(arguments: [
    "HTTP/1.1 101 Switching Protocols\r\n\r\n", "garbage\r\n\r\n", "HTTP/1.1 101", "",
    "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n",
  ])
  func `an answer that opens nothing ends the task (B8)`(answer: String) async throws {
    let fixture = try SocketFixture([Route("/bad", script: [.bytes(Array(answer.utf8)), .end(.fin)])])
    let code = try #require(Int(await (try fixture.task("/bad")).next()))
    #expect([-1011, -1017].contains(code))
  }

  @Test func `a server that closes in place of an answer refuses, with -1011 (B8)`() async throws {
    let fixture = try SocketFixture([Route("/gone", script: [.end(.fin)])])
    #expect(await (try fixture.task("/gone")).next() == "-1011")
    #expect(try await fixture.events().last == .complete(-1011))
  }

  @Test func `an endless head ends the task (B8)`() async throws {
    let script: Script = [.bytes(Array("HTTP/1.1 101 x\r\n".utf8)), .repeated(Array("x".utf8), times: nil)]
    let fixture = try SocketFixture([Route("/endless", script: script)])
    #expect(await (try fixture.task("/endless")).next() == "-1103")
  }

  @Test func `a handshake that comes byte by byte, with a message behind it, is whole (B8)`() async throws {
    let script: Script = [
      .pace(.drip(bytes: 1, pause: .zero)), .acceptSocket(protocol: nil), .bytes(SocketFrame.text("first").bytes),
      .pace(.full), .echoMessages(fragment: .max),
    ]
    let fixture = try SocketFixture([Route("/drip", script: script)])
    let task = try fixture.task("/drip")
    #expect(await task.next() == "first")
  }
}

extension URLError {
  /// The failing URL as text.
  fileprivate var failureURLString: String? { userInfo["NSErrorFailingURLStringKey"] as? String }
}
