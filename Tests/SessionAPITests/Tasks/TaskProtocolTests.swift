// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import SessionAPI
import Testing

/// The mock of most test suites: answers every request by a block, and knows requests alone.
private class MockURLProtocol: URLProtocol {
  nonisolated(unsafe) static var handler: ((URLRequest) throws -> (HTTPURLResponse, Data))?

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let handler = Self.handler else { return }
    do {
      let (response, data) = try handler(request)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: data)
      client?.urlProtocolDidFinishLoading(self)
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() {}
}

/// The same over tasks.
private final class TaskProtocol: URLProtocol {
  static let asked = Locked<[String]>([])

  override class func canInit(with task: URLSessionTask) -> Bool {
    asked.withLock { $0.append("task \(task.taskDescription ?? "")") }
    return task.taskDescription == "mine"
  }

  override class func canInit(with request: URLRequest) -> Bool {
    asked.withLock { $0.append("request") }
    return true
  }

  required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  required convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    Self.asked.withLock { $0.append("init \(task.taskIdentifier)") }
    var request = task.currentRequest ?? URLRequest(url: URL(filePath: "/"))
    request.setValue("own", forHTTPHeaderField: "X-Init")
    self.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  override func startLoading() {
    let text = [request.value(forHTTPHeaderField: "X-Init"), task?.taskDescription].map { $0 ?? "-" }
    let response = URLResponse(
      url: request.url ?? URL(filePath: "/"), mimeType: "text/plain", expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(text.joined(separator: " ").utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// Overrides nothing but the start, and the form for tasks.
private final class Echo: URLProtocol {
  override class func canInit(with task: URLSessionTask) -> Bool { task.currentRequest?.url?.scheme == "echo" }

  override func startLoading() {
    let seen = [request.value(forHTTPHeaderField: "X-More") ?? "-", "\(task.map { "\($0.taskIdentifier)" } ?? "-")"]
    let response = URLResponse(
      url: request.url ?? URL(filePath: "/"), mimeType: "text/plain", expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, cachedResponseIsValid: CachedURLResponse(response: response, data: Data(seen[0].utf8)))
    client?.urlProtocol(self, didLoad: Data(" \(seen[1])".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// A program's own client, which hears of a protocol that it made itself.
private final class Listener: NSObject, URLProtocolClient {
  let heard = Locked<[String]>([])

  private func note(_ text: String) { heard.withLock { $0.append(text) } }
  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {}
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) { note("cached") }
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) { note("response") }
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { note(String(decoding: data, as: UTF8.self)) }
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { note("end") }
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { note("\(error)") }
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}

/// B.4: `URLProtocol` with tasks, in the forms in which programs for Apple's systems write it.
@Suite(.serialized) struct TaskProtocolTests {
  private enum MockError: Error { case refused }

  private func session(_ classes: AnyClass...) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = classes
    configuration.httpAdditionalHeaders = ["X-More": "more"]
    return URLSession(configuration: configuration)
  }

  private func text(of making: (@escaping @Sendable (Data?) -> Void) -> URLSessionTask) async -> String {
    let data: Data? = await withCheckedContinuation { answer in
      let task = making { answer.resume(returning: $0) }
      task.taskDescription = "mine"
      task.resume()
    }
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  @Test func `a mock with a handler for requests answers every task (B.4)`() async throws {
    let session = session(MockURLProtocol.self)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "https://mock.test/path"))
    let response = try #require(HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: nil))
    MockURLProtocol.handler = { request in (response, Data((request.url?.path ?? "").utf8)) }
    let (data, answer) = try await session.data(from: url)
    #expect(data == Data("/path".utf8) && (answer as? HTTPURLResponse)?.statusCode == 201)
    MockURLProtocol.handler = { _ in throw MockError.refused }
    await #expect(throws: MockError.refused) { try await session.data(from: url) }
    MockURLProtocol.handler = nil
  }

  @Test func `the form for tasks is asked first, and makes the protocol (B.4)`() async throws {
    let session = session(TaskProtocol.self)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "mine://a/"))
    TaskProtocol.asked.withLock { $0 = [] }
    let text = await text { answer in session.dataTask(with: url) { data, _, _ in answer(data) } }
    #expect(text == "own mine")
    #expect(TaskProtocol.asked.withLock { $0 } == ["task mine", "init 1"], "the form for requests is never asked")
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .unsupportedURL, "the task's answer is no")
  }

  @Test func `a protocol that overrides little sees its task, and the configuration's fields (B.4)`() async throws {
    let session = session(Echo.self)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "echo://a/"))
    #expect(try await session.data(from: url).0 == Data("more 1".utf8))
    let upload = await text { answer in
      session.uploadTask(with: URLRequest(url: url), from: Data("x".utf8)) { data, _, _ in answer(data) }
    }
    #expect(upload == "more 2")
  }

  @Test func `a request without a URL ends with -1002, and no protocol is asked (B.4)`() async throws {
    let session = session(TaskProtocol.self)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: "mine://a/")))
    request.url = nil
    TaskProtocol.asked.withLock { $0 = [] }
    let code: URLError.Code? = await withCheckedContinuation { answer in
      let task = session.dataTask(with: request) { _, _, error in answer.resume(returning: (error as? URLError)?.code) }
      task.resume()
    }
    #expect(code == .unsupportedURL && TaskProtocol.asked.withLock { $0.isEmpty })
  }

  @Test func `a program may make a protocol itself, and listen to it (B.4)`() throws {
    let session = session()
    defer { session.invalidateAndCancel() }
    let request = URLRequest(url: try #require(URL(string: "echo://a/")))
    let task = session.dataTask(with: request)
    let listener = Listener()
    let made: URLProtocol = Echo(task: task, cachedResponse: nil, client: listener)
    #expect(made.task === task && made.request == request && made.cachedResponse == nil && made.client === listener)
    made.startLoading()
    made.stopLoading()
    #expect(listener.heard.withLock { $0 } == ["cached", " 1", "end"])
    #expect(Echo.canInit(with: task) && !Echo.canInit(with: request) && MockURLProtocol.canInit(with: task))
    #expect(Echo(request: request, cachedResponse: nil, client: nil).task == nil)
    let stream = session.streamTask(withHostName: "a.test", port: 1)
    #expect(!MockURLProtocol.canInit(with: stream), "it has no request")
    #expect(Echo(task: stream, cachedResponse: nil, client: nil).request.url == nil)
  }

  @Test func `two requests with one URL are the same for a cache, and the class itself wants none (B.4)`() throws {
    let request = NSMutableURLRequest(url: try #require(URL(string: "echo://a/")))
    URLProtocol.setProperty("seen", forKey: "mark", in: request)
    URLProtocol.removeProperty(forKey: "mark", in: request)
    #expect(URLProtocol.property(forKey: "mark", in: request as URLRequest) == nil)
    let other = URLRequest(url: try #require(URL(string: "echo://b/")))
    #expect(URLProtocol.requestIsCacheEquivalent(other, to: other))
    #expect(!URLProtocol.requestIsCacheEquivalent(other, to: request as URLRequest))
    #expect(URLProtocol.canonicalRequest(for: other) == other && !URLProtocol.canInit(with: other))
    #expect(!URLProtocol.registerClass(NSObject.self))
  }
}
