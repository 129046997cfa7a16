// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import Testing

/// The order of calls, and what they carry: A.4 and the rows of A.7 that this version has.
@Suite(.inOrder) struct OrderTests {
  private static let routes = [
    Route("/empty", script: .response(Response(204))),
    Route("/zero", script: .response(Response(200))),
    Route(
      "/gone",
      script: Script.response(Response(body: .seeded(seed: 1, range: 0..<4_000_000))).cut(after: 900_000, by: .rst)),
    Route("/nothing", script: [.end(.fin)]),
    Route(
      "/early",
      script: [
        .text("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .response(.text("ok")),
      ]),
  ]

  private func load(
    _ path: String, method: String = "GET", on delegate: RecordingDelegate = RecordingDelegate()
  ) async throws -> RecordingDelegate {
    let server = try LessonServer.running(Self.routes)
    var request = try server.request(path)
    request.httpMethod = method
    return try await finish(request, on: delegate)
  }

  private func finish(_ request: URLRequest, on delegate: RecordingDelegate) async throws -> RecordingDelegate {
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.isOver })
      // Nothing may follow the end.
      runLoop(atMost: 0.05) { false }
    }
    Grammar.expectWhole(delegate)
    return delegate
  }

  @Test func `request, response, data in pieces, finish (A.4)`() async throws {
    let delegate = try await load("/body?size=2MiB&seed=5")
    #expect(delegate.course == "wrdf")
    #expect(delegate.calls.count { $0 == "d" } >= 2)
    let record = delegate.record.withLock { $0 }
    #expect(Array(record.body) == SeededBody(seed: 5).bytes(0..<2 << 20))
    #expect((record.responses.first as? HTTPURLResponse)?.statusCode == 200)
    #expect(record.responses.first?.expectedContentLength == 2 << 20)
  }

  @Test(arguments: ["/empty", "/zero"]) func `an empty body has no data call (A.4)`(path: String) async throws {
    #expect(try await load(path).calls == "wrf")
  }

  @Test func `a HEAD has no data call (A.4)`() async throws {
    #expect(try await load("/1k", method: "HEAD").calls == "wrf")
  }

  @Test(arguments: ["none", "chunked"]) func `without a length the whole body comes (A.4)`(length: String) async throws
  {
    let delegate = try await load("/body?size=700KiB&seed=5&length=\(length)")
    #expect(delegate.course == "wrdf")
    let record = delegate.record.withLock { $0 }
    #expect(record.responses.first?.expectedContentLength == -1)
    #expect(Array(record.body) == SeededBody(seed: 5).bytes(0..<700 << 10))
  }

  @Test func `an HTTP status is never an error (A.4)`() async throws {
    let delegate = try await load("/status/404")
    #expect(delegate.course == "wrdf")
    #expect((delegate.record.withLock { $0.responses.first } as? HTTPURLResponse)?.statusCode == 404)
  }

  @Test func `a 401 that nobody answers is the response (A.4)`() async throws {
    let delegate = try await load("/status/401")
    #expect(delegate.course == "wrdf")
  }

  @Test func `an error after data: what came stays (A.4)`() async throws {
    let delegate = try await load("/gone")
    #expect(["wrde", "wre"].contains(delegate.course))
    let record = delegate.record.withLock { $0 }
    #expect((record.error as? URLError)?.code == .networkConnectionLost)
    #expect(Array(record.body) == SeededBody(seed: 1).bytes(0..<Int64(record.body.count)))
  }

  @Test func `an error before any response: no response call (A.4)`() async throws {
    let delegate = try await load("/nothing")
    #expect(delegate.calls == "we")
    let error = try #require(delegate.record.withLock { $0.error } as? URLError)
    #expect(error.code == .networkConnectionLost)
    #expect((error.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.path == "/nothing")
  }

  @Test func `informational responses are not reported (A.4)`() async throws {
    let delegate = try await load("/early")
    #expect(delegate.course == "wrdf")
    #expect((delegate.record.withLock { $0.responses.first } as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `an unsupported scheme fails, and canHandle says so before (A.11)`() async throws {
    let url = try #require(URL(string: "gopher://127.0.0.1/"))
    let request = URLRequest(url: url)
    #expect(!NSURLConnection.canHandle(request))
    let delegate = try await finish(request, on: RecordingDelegate())
    #expect(delegate.calls == "we")
    #expect((delegate.record.withLock { $0.error } as? URLError)?.code == .unsupportedURL)
  }

  @Test func `responses that replace one another, each with its data (A.4)`() async throws {
    let delegate = try await load("/parts?parts=3&size=700KiB")
    #expect(delegate.course == "wrdrdrdf")
    let types = delegate.record.withLock { $0.responses.map(\.mimeType) }
    #expect(types == ["application/octet-stream", "application/octet-stream", "application/octet-stream"])
  }

  // MARK: - willSend

  @Test func `before the first request there is a call without a response (A.7)`() async throws {
    let delegate = try await load("/ok")
    let record = delegate.record.withLock { $0 }
    #expect(record.redirects == [nil])
    #expect(record.requests.first?.url?.path == "/ok")
  }

  @Test func `another request in answer to the first call is what is sent (A.7)`() async throws {
    let server = try LessonServer.running()
    let (asked, other) = (try server.request("/ok"), try server.request("/1k"))
    let delegate = RecordingDelegate(answer: { _, _ in other })
    let connection = try await onOwnThread {
      let connection = NSURLConnection(request: asked, delegate: delegate)
      #expect(connection?.currentRequest.url == asked.url)
      #expect(runLoop { delegate.isOver })
      return connection
    }
    #expect(server.log.snapshot().requests.map(\.target) == ["/1k"])
    #expect(connection?.originalRequest.url == asked.url)
    #expect(connection?.currentRequest.url == other.url)
  }

  @Test func `nil in answer to the first call ends the load in silence (E3)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    let delegate = RecordingDelegate(answer: { _, _ in nil })
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()  // returns because the connection has let go
    }
    #expect(delegate.calls == "w")
    #expect(server.log.counts.begun == 0)
  }

  @Test func `a followed redirect is seen only by the call that allows it (A.4)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/redirect/302?to=/1k")
    let delegate = RecordingDelegate()
    let connection = try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.isOver })
      return connection
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.course == "wwrdf")
    let record = delegate.record.withLock { $0 }
    #expect(record.redirects.map { $0?.statusCode } == [nil, 302])
    #expect(Array(record.body) == SeededBody(seed: 1).bytes(0..<1024))
    #expect(connection?.currentRequest.url?.path == "/1k")
    #expect(connection?.originalRequest.url?.path == "/redirect/302")
  }

  @Test func `nil for a redirect: the 3xx response and its body are the result (A.7)`() async throws {
    let delegate = try await load(
      "/redirect/302?to=/1k", on: RecordingDelegate(answer: { request, redirect in redirect == nil ? request : nil }))
    #expect(delegate.course == "wwrdf")
    let record = delegate.record.withLock { $0 }
    #expect((record.responses.first as? HTTPURLResponse)?.statusCode == 302)
    #expect(String(decoding: record.body, as: UTF8.self) == "elsewhere\n")
  }
}
