// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import URLLoading

@Suite struct LoadTests {
  /// Starts a server, runs `body` on a thread of its own, stops the server.
  private func withServer(
    _ routes: [Route] = Route.standard, _ body: @escaping @Sendable (LessonServer, LoadContext) throws -> Void
  ) async throws {
    try await onThread {
      let server = LessonServer(routes: routes)
      try server.start()
      defer { server.stop() }
      try body(server, LoadContext(LoadConfiguration()))
    }
  }

  private static func request(_ text: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: text)))
  }

  private static func checksum(_ data: Data?) -> UInt64 {
    var checksum = BodyChecksum()
    data?.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }

  @Test func `a collected body is whole`() async throws {
    try await withServer { server, context in
      let probe = LoadProbe()
      let load = Load(try Self.request(server.url("/body?size=3MiB&seed=5")), in: context, sink: nil, client: probe)
      load.start()
      let end = try #require(probe.waitForEnd())
      #expect(end.error == nil)
      #expect(Self.checksum(end.body) == SeededBody.checksum(seed: 5, size: 3 << 20))
      #expect(load.bytesReceived == 3 << 20)
      #expect(probe.record.withLock { $0.responses } == [200])
    }
  }

  @Test(arguments: [false, true])
  func `the requests that were sent are kept for who wants them`(wants: Bool) async throws {
    try await withServer { server, context in
      let probe = LoadProbe(wantsExchanges: wants)
      Load(try Self.request(server.url("/redirect/302?to=/ok")), in: context, sink: nil, client: probe).start()
      let end = try #require(probe.waitForEnd())
      #expect(end.error == nil)
      #expect(end.redirectCount == 1 && end.exchanges.count == (wants ? 2 : 0))
      #expect(end.exchanges.allSatisfy { $0.response != nil && $0.localPort != nil })
    }
  }

  @Test func `a full stream pauses the transfer until it is taken`() async throws {
    try await withServer { server, context in
      let full = DispatchSemaphore(value: 0)
      let probe = LoadProbe(answer: {
        $0.accept(.stream, answering: $1)
        full.signal()
      })
      let load = Load(try Self.request(server.url("/body?size=32MiB&seed=7")), in: context, sink: nil, client: probe)
      load.start()
      #expect(full.waitPatiently())
      var checksum = BodyChecksum()
      var most = 0
      while checksum.count < 32 << 20 {
        guard let data = load.takeBody(atMost: 256 * 1024) else { continue }
        most = max(most, data.count)
        data.withUnsafeBytes { checksum.update($0) }
      }
      #expect(checksum.value == SeededBody.checksum(seed: 7, size: 32 << 20))
      #expect(most <= 256 * 1024)
      #expect(probe.waitForEnd()?.error == nil)
    }
  }

  @Test func `a cancelled load ends once with -999`() async throws {
    try await withServer { server, context in
      let probe = LoadProbe(answer: { load, _ in load.cancel() })
      let load = Load(try Self.request(server.url("/body?size=64MiB")), in: context, sink: nil, client: probe)
      load.start()
      let end = try #require(probe.waitForEnd())
      #expect(end.error?.code == .cancelled)
      #expect(end.error?.userInfo[NSURLErrorFailingURLErrorKey] as? URL == load.originalRequest.url)
      load.cancel()
      #expect(probe.record.withLock { $0.ends.count } == 1)
      #expect(probe.record.withLock { $0.afterEnd } == 0)
    }
  }

  @Test func `a streamed body is sent chunked and whole`() async throws {
    try await withServer { server, context in
      let bytes = SeededBody(seed: 8).bytes(0..<1_000_000)
      var request = try Self.request(server.url("/upload"))
      request.httpMethod = "POST"
      request.httpBodyStream = InputStream(data: Data(bytes))
      let probe = LoadProbe()
      Load(request, in: context, sink: nil, client: probe).start()
      #expect(probe.waitForEnd()?.error == nil)
      let seen = try #require(server.log.settled(within: .seconds(TestMachine.patience)).requests.first)
      #expect(seen.bodyBytes == 1_000_000)
      #expect(seen.bodyChecksum == SeededBody.checksum(seed: 8, size: 1_000_000))
    }
  }

  @Test(arguments: ["/redirect/302?to=/ok", "/redirect/307?to=/ok"])
  func `a redirect is followed on the same connection, or becomes the response`(path: String) async throws {
    try await withServer { server, context in
      let follows = LoadProbe()
      let load = Load(try Self.request(server.url(path)), in: context, sink: nil, client: follows)
      load.start()
      #expect(follows.waitForEnd()?.body == Data("ok".utf8))
      #expect(follows.record.withLock { $0.redirects } == ["/ok"])
      #expect(follows.record.withLock { $0.responses } == [200])
      #expect(load.currentRequest.url?.path == "/ok")
      #expect(server.log.counts.opened == 1)
      let refuses = LoadProbe(redirectAnswer: { load, _, question in load.follow(nil, answering: question) })
      Load(try Self.request(server.url(path)), in: context, sink: nil, client: refuses).start()
      #expect(refuses.waitForEnd()?.error == nil)
      #expect(refuses.record.withLock { $0.responses }.first.map { $0 / 100 } == 3)
    }
  }

  @Test func `a second answer to the first redirect is none to the second`() async throws {
    let found = { (place: String) in
      Script([.text("HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n")])
    }
    let routes = [Route("/first", script: found("/second")), Route("/second", script: found("/ok"))] + Route.standard
    try await withServer(routes) { server, context in
      let first = Locked<LoadQuestion?>(nil)
      let probe = LoadProbe(redirectAnswer: { load, request, question in
        // At the second redirect the first is answered once more, so that the second would become the response.
        if let first = first.withLock({ $0 }) { load.follow(nil, answering: first) }
        first.withLock { $0 = $0 ?? question }
        load.follow(request, answering: question)
      })
      Load(try Self.request(server.url("/first")), in: context, sink: nil, client: probe).start()
      #expect(probe.waitForEnd()?.body == Data("ok".utf8))
      #expect(probe.record.withLock { $0.responses } == [200])
    }
  }

  @Test func `redirects without end stop after twenty`() async throws {
    let round: Script = [.text("HTTP/1.1 302 Found\r\nLocation: /round\r\nContent-Length: 0\r\n\r\n")]
    try await withServer([Route("/round", script: round)]) { server, context in
      let probe = LoadProbe()
      Load(try Self.request(server.url("/round")), in: context, sink: nil, client: probe).start()
      #expect(probe.waitForEnd()?.error?.code == .httpTooManyRedirects)
      #expect(probe.record.withLock { $0.redirects.count } == 20)
    }
  }

  @Test func `a response that is not awaited is told with its preset sink`() async throws {
    try await withServer { server, context in
      let probe = LoadProbe(answer: { _, _ in })
      Load(try Self.request(server.url("/ok")), in: context, sink: .collect, client: probe).start()
      #expect(probe.waitForEnd()?.body == Data("ok".utf8))
    }
  }

  @Test func `an empty body ends after a late answer, too`() async throws {
    try await withServer { server, context in
      let asked = DispatchSemaphore(value: 0)
      let open = Locked<LoadQuestion?>(nil)
      let probe = LoadProbe(answer: { _, question in
        open.withLock { $0 = question }
        asked.signal()
      })
      let load = Load(try Self.request(server.url("/body?size=0")), in: context, sink: nil, client: probe)
      load.start()
      #expect(asked.waitPatiently())
      _ = server.log.settled(within: .seconds(TestMachine.patience))
      load.accept(.collect, answering: try #require(open.withLock { $0 }))
      #expect(probe.waitForEnd()?.body == Data())
    }
  }

  @Test func `an unknown scheme is unsupported`() async throws {
    try await withServer { _, context in
      let probe = LoadProbe()
      Load(try Self.request("gopher://127.0.0.1/"), in: context, sink: nil, client: probe).start()
      #expect(probe.waitForEnd()?.error?.code == .unsupportedURL)
    }
  }

  @Test func `nobody listening is a refused connection`() async throws {
    try await withServer { _, context in
      let port = ClosedPort()
      let probe = LoadProbe()
      Load(try Self.request(port.url), in: context, sink: nil, client: probe).start()
      #expect(probe.waitForEnd()?.error?.code == .cannotConnectToHost)
    }
  }
}
