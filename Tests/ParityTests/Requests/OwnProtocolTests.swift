// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import SessionAPI
import TestSupport
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

private enum OwnError: Error { case broken }

/// Answers the host `written.example` with the address that it sees, or with an error.
private final class Written: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    request.url?.host()?.lowercased() == "written.example"
  }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url else { return }
    switch url.path() {
    case "/foreign":
      client?.urlProtocol(self, didFailWithError: NSError(domain: "mine", code: 7, userInfo: ["key": "value"]))
    case "/typed": client?.urlProtocol(self, didFailWithError: OwnError.broken)
    default:
      let response = URLResponse(url: url, mimeType: "text/plain", expectedContentLength: -1, textEncodingName: nil)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data(url.absoluteString.utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  override func stopLoading() {}
}

/// A connection's delegate that answers another address, or the asked one in its own words.
private final class Redirector: NSObject, ConnectionObserver, Sendable {
  let observation = Observation()
  let target: URL

  init(to target: URL) { self.target = target }

  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest? { URLRequest(url: target) }
}

/// The calls that a class sees and makes are the same over each API and form.
@Suite(.serialized) final class WrittenAddressTests {
  init() { URLProtocol.registerClass(Written.self) }
  deinit { URLProtocol.unregisterClass(Written.self) }

  private func load(_ address: String, on face: Face) async throws -> Observation.Facts {
    let client = Client(face) { $0.protocolClasses = [Written.self] }
    let facts = await client.load(URLRequest(url: try #require(URL(string: address))))
    await client.close()
    return facts
  }

  @Test(arguments: Face.allCases)
  func `a class of the program's sees the address as it was written`(face: Face) async throws {
    for address in ["http://written.example", "HTTP://Written.Example?query", "http://written.example/path"] {
      #expect(String(decoding: try await load(address, on: face).body, as: UTF8.self) == address)
    }
  }

  @Test(arguments: Face.allCases)
  func `an error arrives as a class of the program's told it`(face: Face) async throws {
    let foreign = try #require(try await load("http://written.example/foreign", on: face).error) as NSError
    #expect(foreign.domain == "mine" && foreign.code == 7 && foreign.userInfo["key"] as? String == "value")
    #expect(try await load("http://written.example/typed", on: face).error as? OwnError == .broken)
  }

  @Test func `a load that a thread waits for shows and tells the same`() async throws {
    let plain = URLRequest(url: try #require(URL(string: "http://written.example")))
    let typed = URLRequest(url: try #require(URL(string: "http://written.example/typed")))
    let data = try await onThread { try NSURLConnection.sendSynchronousRequest(plain, returning: nil) }
    #expect(data == Data("http://written.example".utf8))
    await #expect(throws: OwnError.broken) {
      try await onThread { try NSURLConnection.sendSynchronousRequest(typed, returning: nil) }
    }
  }

  @Test(arguments: [("http://written.example/other", "http://written.example/other"), ("HTTP://written.example", nil)])
  func `an address that a connection's delegate answers is shown in its place`(
    answer: String, expected: String?
  ) async throws {
    let written = "http://WRITTEN.example"
    let delegate = Redirector(to: try #require(URL(string: answer)))
    NSURLConnection.begin(
      URLRequest(url: try #require(URL(string: written))), delegate, on: OperationQueue())
    #expect(await delegate.observation.hasEnded(within: .seconds(TestMachine.patience)))
    #expect(String(decoding: delegate.observation.facts.body, as: UTF8.self) == expected ?? written)
  }
}

/// One class serves both APIs, whichever of the two it is derived from and by whichever name it was registered.
@Suite struct OwnProtocolTests {
  private func answers(_ request: URLRequest) async throws -> [String] {
    let (_, connection) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
    let (session, _) = try await URLSession.shared.data(for: request)
    return [connection, session].map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a class with tasks that is registered for all serves connections, too (B.4)`() async throws {
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

  @Test func `a class without tasks serves both, registered by either name (A.1)`() async throws {
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
