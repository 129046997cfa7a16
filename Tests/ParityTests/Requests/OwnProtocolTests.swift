// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import SessionAPI
import Testing

/// Answers the scheme `tasked`, by the class that has tasks.
private final class Tasked: SessionAPI.URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "tasked" }

  override func startLoading() {
    guard let url = request.url else { return }
    let response = URLResponse(url: url, mimeType: "text/plain", expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data((task == nil ? "request" : "task").utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// Answers the scheme `plain`: in a file that imports both modules the bare name is the class that knows requests alone.
private final class Plain: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "plain" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url else { return }
    let response = URLResponse(url: url, mimeType: "text/plain", expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("request".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// One class serves both APIs, whichever of the two it is derived from and by whichever name it was registered.
@Suite struct OwnProtocolTests {
  private func answers(_ request: URLRequest) async throws -> [String] {
    let (_, connection) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
    let (session, _) = try await URLSession.shared.data(for: request)
    return [connection, session].map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `B.4: a class with tasks that is registered for all serves connections, too`() async throws {
    let request = URLRequest(url: try #require(URL(string: "tasked://a/")))
    #expect(!NSURLConnection.canHandle(request))
    #expect(URLProtocol.registerClass(Tasked.self))
    #expect(NSURLConnection.canHandle(request))
    #expect(try await answers(request) == ["request", "task"])
    SessionAPI.URLProtocol.unregisterClass(Tasked.self)
    #expect(!NSURLConnection.canHandle(request))
  }

  @Test func `in a file that imports both modules the bare name is the class without tasks`() {
    #expect(URLProtocol.self == ConnectionAPI.URLProtocol.self)
  }

  @Test func `A.1: a class without tasks serves both, registered by either name`() async throws {
    let request = URLRequest(url: try #require(URL(string: "plain://a/")))
    #expect(SessionAPI.URLProtocol.registerClass(Plain.self))
    #expect(NSURLConnection.canHandle(request))
    #expect(try await answers(request) == ["request", "request"])
    URLProtocol.unregisterClass(Plain.self)
    #expect(!NSURLConnection.canHandle(request))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Plain.self, Tasked.self]
    #expect(configuration.protocolClasses?.count == 2)
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    #expect(try await session.data(for: request).0 == Data("request".utf8))
  }
}
