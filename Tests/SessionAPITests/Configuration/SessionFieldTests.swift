// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// RD-13: the fields of `httpAdditionalHeaders` behind a redirect. Those that say who the client is stay at the origin for which
/// the session's request was made, and the delegate sees all that will be sent.
@Suite struct SessionFieldTests {
  private static let names = ["Authorization", "authorization", "AUTHORIZATION"]

  private static func configuration(
    _ fields: [String: String], _ base: URLSessionConfiguration = .ephemeral
  ) -> URLSessionConfiguration {
    base.httpAdditionalHeaders = fields
    return base
  }

  /// Where the redirect leads: to the same origin, another host, another port.
  private enum Way: String, CaseIterable, Sendable { case same, host, port }

  /// Two servers, of which the first redirects.
  private struct Servers {
    let here = LessonServer()
    let there = LessonServer()

    init() throws {
      try here.start()
      try there.start()
    }

    func target(_ way: Way, _ path: String = "/echo") -> String {
      switch way {
      case .same: here.url(path)
      case .host: here.url(path, host: "localhost")
      case .port: there.url(path)
      }
    }

    func start(_ status: Int, to way: Way, _ path: String = "/echo") throws -> URL {
      let place = target(way, path).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return try #require(URL(string: here.url("/redirect/\(status)?to=\(place)")))
    }

    /// The request that came where the redirect leads.
    func arrived(_ way: Way, _ path: String = "/echo") throws -> RequestRecord {
      let log = (way == .port ? there : here).log.settled(within: .seconds(TestMachine.patience))
      return try #require(log.requests(for: path).first)
    }

    func stop() {
      here.stop()
      there.stop()
    }
  }

  @Test(arguments: names, [302, 307])
  private func `a session's Authorization stays at its origin, and the delegate sees what will be sent (RD-13)`(
    name: String, status: Int
  ) async throws {
    for way in Way.allCases {
      let servers = try Servers()
      defer { servers.stop() }
      let seen = Locked<[URLRequest]>([])
      let configuration = Self.configuration([name: "Bearer key", "X-Session": "1", "Cookie": "a=1"])
      configuration.httpCookieStorage = nil
      let recorder = Recorder(
        Reactions(redirect: { request, answer in
          seen.withLock { $0.append(request) }
          answer(request)
        }))
      let session = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
      let task = session.dataTask(with: try servers.start(status, to: way))
      task.resume()
      try await recorder.log.wait { $0.ends == 1 }
      session.finishTasksAndInvalidate()
      let request = try servers.arrived(way)
      let (shown, key) = (try #require(seen.withLock { $0.first }), way == .same ? "Bearer key" : nil)
      for name in ["Authorization", "X-Session", "Cookie"] {
        #expect(shown.value(forHTTPHeaderField: name) == request[name], "\(way) \(name)")
      }
      #expect(request["Authorization"] == key && request["X-Session"] == "1", "\(way)")
      #expect(request["Cookie"] == (way == .same ? "a=1" : nil), "\(way)")
      #expect(servers.here.log.snapshot().requests.first?["Authorization"] == "Bearer key")
      #expect(task.currentRequest?.value(forHTTPHeaderField: "Authorization") == key)
    }
  }

  @Test func `what the delegate takes away or writes is what is sent (RD-13)`() async throws {
    let servers = try Servers()
    defer { servers.stop() }
    let reactions = Reactions(redirect: { request, answer in
      var request = request
      request.setValue(nil, forHTTPHeaderField: "Authorization")
      request.setValue("2", forHTTPHeaderField: "x-session")
      answer(request)
    })
    let recorder = Recorder(reactions)
    let configuration = Self.configuration(["Authorization": "Bearer key", "X-Session": "1"])
    let session = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    session.dataTask(with: try servers.start(302, to: .same)).resume()
    try await recorder.log.wait { $0.ends == 1 }
    let request = try servers.arrived(.same)
    #expect(request["Authorization"] == nil)
    #expect(request.fields.filter { $0.name.lowercased() == "x-session" }.map(\.value) == ["2"])
  }

  @Test func `from https to http neither Authorization nor Referer goes along (RD-13)`() async throws {
    let plain = LessonServer()
    try plain.start()
    defer { plain.stop() }
    let target = Route("/from", script: .response(Response(302, fields: [HeaderField("Location", plain.url("/echo"))])))
    let authority = try CertificateAuthority()
    let server = LessonServer(routes: [target], tls: TLSSettings(authority: authority))
    try server.start()
    defer { server.stop() }
    let configuration = Self.configuration(["Authorization": "Bearer key", "Referer": "a"])
    configuration.values.withLock { $0.wire.authorities = Data(authority.pem.utf8) }
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    _ = try await session.data(from: try #require(URL(string: server.url("/from"))))
    let request = try #require(plain.log.snapshot().requests(for: "/echo").first)
    #expect(request["Authorization"] == nil && request["Referer"] == nil)
    #expect(server.log.snapshot().requests(for: "/from").first?["Referer"] == "a")
  }

  @Test func `an upload goes on without it (RD-13)`() async throws {
    let servers = try Servers()
    defer { servers.stop() }
    let session = URLSession(configuration: Self.configuration(["Authorization": "Bearer key", "X-Session": "1"]))
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: try servers.start(307, to: .host, "/upload"))
    request.httpMethod = "POST"
    let sent = request
    let outcome: Outcome<Data> = await session.outcome {
      session.uploadTask(with: sent, from: Data(repeating: 1, count: 100_000), completionHandler: $0)
    }
    #expect(outcome.status == 200)
    let arrived = try servers.arrived(.host, "/upload")
    #expect(arrived["Authorization"] == nil && arrived["X-Session"] == "1" && arrived.bodyBytes == 100_000)
  }

  @Test func `a WebSocket's handshake goes on without it (RD-13)`() async throws {
    let servers = try Servers()
    defer { servers.stop() }
    let session = URLSession(configuration: Self.configuration(["Authorization": "Bearer key"]))
    defer { session.invalidateAndCancel() }
    let address = try servers.start(302, to: .host, "/socket").absoluteString
    let task = session.webSocketTask(with: try #require(URL(string: "ws" + address.dropFirst(4))))
    task.resume()
    try await task.send(.string("in"))
    #expect(await task.next() == "in")
    let handshake = try #require(servers.here.log.snapshot().requests(for: "/socket").first)
    #expect(handshake["Authorization"] == nil)
  }

  @Test func `a background session's task goes on without it (RD-13)`() async throws {
    let servers = try Servers()
    defer { servers.stop() }
    let recorder = Recorder()
    let configuration = Self.configuration(
      ["Authorization": "Bearer key", "X-Session": "1"], .background(withIdentifier: UUID().uuidString))
    let session = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    session.downloadTask(with: try servers.start(302, to: .host)).resume()
    try await recorder.log.wait { $0.ends == 1 }
    let request = try servers.arrived(.host)
    #expect(request["Authorization"] == nil && request["X-Session"] == "1")
  }

  @Test func `on the way back to the first origin it is not there again (RD-13)`() async throws {
    let servers = try Servers()
    defer { servers.stop() }
    let session = URLSession(configuration: Self.configuration(["Authorization": "Bearer key"]))
    defer { session.finishTasksAndInvalidate() }
    let back =
      "/redirect/302?to="
      + (servers.here.url("/echo").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    _ = try await session.data(from: try servers.start(302, to: .port, back))
    #expect(try servers.arrived(.same)["Authorization"] == nil)
  }

  /// Hands what it is shown to the test, and loads nothing.
  private final class Watcher: URLProtocol {
    static let seen = EventLog<String?>()

    override class func canInit(with request: URLRequest) -> Bool {
      if request.url?.path == "/echo" { seen.append(request.value(forHTTPHeaderField: "Authorization")) }
      return false
    }
  }

  @Test func `a class of the program's own is not shown it either (RD-13)`() async throws {
    let servers = try Servers()
    defer { servers.stop() }
    let configuration = Self.configuration(["Authorization": "Bearer key"])
    configuration.protocolClasses = [Watcher.self]
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    _ = try await session.data(from: try servers.start(302, to: .host))
    #expect(Watcher.seen.all == [nil])
    _ = try await session.data(from: try servers.start(302, to: .same))
    #expect(Watcher.seen.all == [nil, "Bearer key"])
  }
}
