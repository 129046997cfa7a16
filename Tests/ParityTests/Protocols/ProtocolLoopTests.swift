// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Answers the scheme `looped` by what it schedules in the current run loop, as the path says.
private final class Looped: URLProtocol, NSURLConnectionDataDelegate {
  static let seen = Sightings()
  private var timer: Timer?
  private var connection: NSURLConnection?
  private var isOver = false

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "looped" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    note("start")
    // Touched on the thread of this call alone.
    nonisolated(unsafe) let this = self
    switch request.url?.path() {
    case "/timer":
      // Foundation's timers are never released, nor what they hold.
      nonisolated(unsafe) unowned let this = self
      timer = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in this.finish() }
    case "/perform": RunLoop.current.perform { this.finish() }
    case "/connection": connect()
    case "/nested":
      connect()
      while !isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      note("return")
    default: break
    }
  }

  override func stopLoading() {
    timer?.invalidate()
    connection?.cancel()
    note("stop")
  }

  private func connect() {
    guard let url = URL(string: request.url?.fragment() ?? "") else { return }
    connection = NSURLConnection(request: URLRequest(url: url), delegate: self)
  }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { note("response") }
  func connectionDidFinishLoading(_ connection: NSURLConnection) { finish() }
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    client?.urlProtocol(self, didFailWithError: error)
  }

  private func finish() {
    note("finish")
    isOver = true
    answer("ok")
  }

  private func note(_ call: String) { Self.seen.note(call, for: request.url) }
}

/// A protocol is started and stopped on one thread, whose run loop runs in the default mode.
@Suite final class ProtocolLoopTests {
  init() { URLProtocol.registerClass(Looped.self) }

  private func request(_ path: String, _ fragment: String = "") throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "looped://a/\(path)?\(UUID())#\(fragment)")))
  }

  private func client(_ face: Face) -> Client { Client(face) { $0.protocolClasses?.append(Looped.self) } }

  @Test(arguments: Face.allCases, ["timer", "perform", "connection", "nested"])
  func `what a protocol schedules in the current run loop comes there`(face: Face, path: String) async throws {
    try await LessonServer.serving([Route("/ok", script: .response(.text("ok")))]) { server in
      let client = client(face)
      let request = try request(path, server.url("/ok"))
      let facts = await client.load(request)
      #expect(facts.body == Array("ok".utf8) && facts.error == nil)
      let url = try #require(request.url)
      // A loop within a call may take the stop before it returns.
      if path == "nested" { _ = try await Looped.seen.until("return", for: url) }
      let seen = try await Looped.seen.until("stop", for: url)
      let between = path == "nested" || path == "connection" ? ["start", "response", "finish"] : ["start", "finish"]
      #expect(Array(seen.map(\.call).prefix(between.count)) == between && Set(seen.map(\.thread)).count == 1)
      #expect(Set(seen.map(\.mode)) == [RunLoop.Mode.default.rawValue])
      await client.close()
    }
  }

  @Test(arguments: [Face.connection, .dataTask, .handlerTask, .downloadTask])
  func `a cancelled load stops its protocol on the thread that started it`(face: Face) async throws {
    let client = client(face)
    let request = try request("never")
    let url = try #require(request.url)
    let load = client.begin(request)
    _ = try await Looped.seen.until("start", for: url)
    load.cancel()
    let seen = try await Looped.seen.until("stop", for: url)
    #expect(seen.map(\.call) == ["start", "stop"] && Set(seen.map(\.thread)).count == 1)
    await client.close()
  }

  @Test func `an invalid session stops its protocols on the threads that started them`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Looped.self]
    let session = URLSession(configuration: configuration)
    let requests = try (1...3).map { _ in try request("never") }
    for request in requests { session.dataTask(with: request).resume() }
    for url in requests.compactMap(\.url) { _ = try await Looped.seen.until("start", for: url) }
    session.invalidateAndCancel()
    for url in requests.compactMap(\.url) {
      let seen = try await Looped.seen.until("stop", for: url)
      #expect(seen.map(\.call) == ["start", "stop"] && Set(seen.map(\.thread)).count == 1)
    }
  }
}
