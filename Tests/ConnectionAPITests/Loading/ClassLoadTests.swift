// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import Testing
import Timeline

/// The class methods: A.8.
@Suite(.inOrder) struct ClassLoadTests {
  private static let routes = [
    Route("/zero", script: .response(Response(200))),
    Route("/nothing", script: [.end(.fin)]),
    Route(
      "/cut",
      script: Script.response(Response(body: .seeded(seed: 1, range: 0..<4_000_000))).cut(after: 90_000, by: .fin)),
    Route(
      "/slow",
      script: [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"), .delay(.seconds(0.6)), .text("a"), .delay(.seconds(0.6)),
        .text("b"), .delay(.seconds(0.6)), .text("cd"),
      ]),
  ]

  @Test func `the synchronous call returns the body and fills in the response (A.8)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=3MiB&seed=9")
    try await onOwnThread {
      var response: URLResponse?
      let data = try NSURLConnection.sendSynchronousRequest(request, returning: &response)
      #expect(Array(data) == SeededBody(seed: 9).bytes(0..<3 << 20))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      let again = try NSURLConnection.sendSynchronousRequest(request, returning: nil)
      #expect(again == data)
    }
  }

  @Test func `the synchronous call does not run the caller's run loop (A.8)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/wait?seconds=0.3")
    try await onOwnThread {
      let fired = Flag()
      let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in fired.set() }
      RunLoop.current.add(timer, forMode: .default)
      _ = try NSURLConnection.sendSynchronousRequest(request, returning: nil)
      #expect(!fired.isSet)
      #expect(runLoop { fired.isSet })
    }
  }

  @Test func `synchronous: redirects are followed, an HTTP status is no error, an empty body is empty data (A.8)`()
    async throws
  {
    let server = try LessonServer.running(Self.routes)
    let requests = try ["/redirect/302?to=/1k", "/status/404", "/status/401", "/zero"].map(server.request)
    try await onOwnThread {
      var seen: [Int] = []
      var sizes: [Int] = []
      for request in requests {
        var response: URLResponse?
        sizes.append(try NSURLConnection.sendSynchronousRequest(request, returning: &response).count)
        seen.append((response as? HTTPURLResponse)?.statusCode ?? 0)
      }
      #expect(seen == [200, 404, 401, 200])
      #expect(sizes == [1024, 4, 4, 0])
    }
  }

  @Test func `a name and a password in the URL answer a challenge (A.8)`() async throws {
    let server = try LessonServer.running([.basic("/basic")])
    let url = server.url("/basic").replacingOccurrences(of: "http://", with: "http://lesson:secret@")
    let request = URLRequest(url: try #require(URL(string: url)))
    try await onOwnThread {
      var response: URLResponse?
      let body = try NSURLConnection.sendSynchronousRequest(request, returning: &response)
      #expect((response as? HTTPURLResponse)?.statusCode == 200 && body == Data("ok".utf8))
    }
    let (response, body) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
    #expect((response as? HTTPURLResponse)?.statusCode == 200 && body == Data("ok".utf8))
  }

  @Test func `synchronous: an error is a URLError, the response filled in if one had come (A.8)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let (nothing, cut) = (try server.request("/nothing"), try server.request("/cut"))
    try await onOwnThread {
      var response: URLResponse?
      let lost = #expect(throws: URLError.self) {
        try NSURLConnection.sendSynchronousRequest(nothing, returning: &response)
      }
      #expect(lost?.code == .networkConnectionLost)
      #expect((lost?.userInfo[NSURLErrorFailingURLErrorKey] as? URL) == nothing.url)
      #expect(response == nil)
      let short = #expect(throws: URLError.self) {
        try NSURLConnection.sendSynchronousRequest(cut, returning: &response)
      }
      #expect(short?.code == .networkConnectionLost)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  @Test func `the time-out is the request's (A.10 says what it measures) (A.8)`() async throws {
    let server = try LessonServer.running(Self.routes)
    var (slow, never) = (try server.request("/slow"), try server.request("/never"))
    (slow.timeoutInterval, never.timeoutInterval) = (12, 0.4)
    try await onOwnThread { [slow, never] in
      let whole = try NSURLConnection.sendSynchronousRequest(slow, returning: nil)
      #expect(whole == Data("abcd".utf8))
      let error = #expect(throws: URLError.self) {
        try NSURLConnection.sendSynchronousRequest(never, returning: nil)
      }
      #expect(error?.code == .timedOut)
    }
  }

  /// What a handler was given, and where.
  private struct Answer: Sendable {
    var status: Int?
    var data: Data?
    var error: URLError?
    var queue: String?
    var count = 0
  }

  private func send(_ path: String, _ server: LessonServer) async throws -> Answer {
    let request = try server.request(path)
    let queue = OperationQueue()
    queue.name = "answers"
    // A call that waited for its handler would never return.
    queue.isSuspended = true
    return try await onOwnThread {
      let answer = Locked(Answer())
      let done = DispatchSemaphore(value: 0)
      NSURLConnection.sendAsynchronousRequest(request, queue: queue) { response, data, error in
        answer.withLock { answer in
          answer.status = (response as? HTTPURLResponse)?.statusCode
          answer.data = data
          answer.error = error as? URLError
          answer.queue = OperationQueue.current?.name
          answer.count += 1
        }
        done.signal()
      }
      queue.isSuspended = false
      #expect(done.wait(timeout: .now() + 90) == .success)
      #expect(done.wait(timeout: .now() + 0.05) == .timedOut, "the handler ran twice")
      return answer.withLock { $0 }
    }
  }

  @Test func `the asynchronous call returns at once and hands body and response to an operation (A.8)`() async throws {
    let server = try LessonServer.running()
    let answer = try await send("/wait?seconds=0.3", server)
    #expect(answer.status == 200)
    #expect(answer.data == Data("ok".utf8))
    #expect(answer.error == nil)
    #expect(answer.queue == "answers")
    #expect(answer.count == 1)
  }

  @Test func `asynchronous: an empty body is empty data, a 404 no error (A.8)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let empty = try await send("/zero", server)
    #expect(empty.data == Data())
    #expect(empty.error == nil)
    let missing = try await send("/status/404", server)
    #expect(missing.status == 404)
    #expect(missing.error == nil)
  }

  @Test func `asynchronous: a 401 gives no response, the body and -1012 (A.8)`() async throws {
    let server = try LessonServer.running()
    let answer = try await send("/status/401", server)
    #expect(answer.status == nil)
    #expect(answer.data == Data("401\n".utf8))
    #expect(answer.error?.code == .userCancelledAuthentication)
    #expect((answer.error?.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.path == "/status/401")
  }

  @Test(arguments: ["/nothing", "/cut"]) func `asynchronous: an error comes alone (A.8)`(path: String) async throws {
    let answer = try await send(path, try LessonServer.running(Self.routes))
    #expect(answer.status == nil)
    #expect(answer.data == nil)
    #expect(answer.error?.code == .networkConnectionLost)
  }

  @Test func `the async twin returns response and body, or throws (A.1)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let queue = OperationQueue()
    let (response, data) = try await NSURLConnection.sendAsynchronousRequest(try server.request("/1k"), queue: queue)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(Array(data) == SeededBody(seed: 1).bytes(0..<1024))
    let refused = await #expect(throws: URLError.self) {
      _ = try await NSURLConnection.sendAsynchronousRequest(try server.request("/status/401"), queue: queue)
    }
    #expect(refused?.code == .userCancelledAuthentication)
  }

  @Test func `there is no way to cancel: a task that is cancelled gets the whole body (A.5, A.8)`() async throws {
    let server = try LessonServer.running([Route("/gated", script: [.gate("go"), .response(.text("whole"))])])
    let request = try server.request("/gated")
    let task = Task { try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue()) }
    try await onOwnThread { _ = server.log.waitForRequests(1, within: .seconds(90)) }
    task.cancel()
    server.open(gate: "go")
    #expect(try await task.value.1 == Data("whole".utf8))
  }

  @Test func `a stored credential answers a challenge (A.8)`() async throws {
    let server = try LessonServer.running([.basic("/basic", realm: "stored")])
    let space = URLProtectionSpace(
      host: "127.0.0.1", port: Int(server.port), protocol: NSURLProtectionSpaceHTTP, realm: "stored",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    URLCredentialStorage.shared.set(
      URLCredential(user: "lesson", password: "secret", persistence: .forSession), for: space)
    let request = try server.request("/basic")
    try await onOwnThread {
      var response: URLResponse?
      _ = try NSURLConnection.sendSynchronousRequest(request, returning: &response)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(server.log.snapshot().requests.map { $0["Authorization"] != nil } == [false, true])
  }

  @Test func `Apple's pointer type can be spelled (L3)`() async throws {
    @Sendable func fetch(_ request: URLRequest, _ response: AutoreleasingUnsafeMutablePointer<URLResponse?>?) throws
      -> Data
    {
      try NSURLConnection.sendSynchronousRequest(request, returning: response)
    }
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    try await onOwnThread {
      var response: URLResponse?
      let data = try fetch(request, &response)
      #expect(data == Data("ok".utf8))
      #expect(response != nil)
    }
  }
}
