// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import Testing

@testable import SessionAPI

/// D35 and B.4: a program's own `URLProtocol`.
@Suite struct ProtocolClassTests {
  private enum OwnError: Error { case broken }

  /// Wants nothing, and notes what it was shown.
  private final class Watcher: URLProtocol {
    static let seen = EventLog<String>()

    override class func canInit(with request: URLRequest) -> Bool {
      let fields = ["X-More", "X-Own"].compactMap { request.value(forHTTPHeaderField: $0) }
      seen.append("\(request.url?.absoluteString ?? "") \(fields.joined(separator: " "))")
      return false
    }
  }

  /// Answers URLs of the scheme `own`; their path says how.
  private final class Own: URLProtocol {
    static let stopped = EventLog<String>()

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "own" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

    override func startLoading() {
      guard let url = request.url, let client else { return }
      switch url.path {
      case "/never": return
      case "/error": return client.urlProtocol(self, didFailWithError: URLError(.noPermissionsToReadFile))
      case "/foreign": return client.urlProtocol(self, didFailWithError: NSError(domain: "mine", code: 7))
      case "/typed": return client.urlProtocol(self, didFailWithError: OwnError.broken)
      case "/empty": return client.urlProtocolDidFinishLoading(self)
      case "/redirect":
        let target = URLRequest(url: URL(string: url.query ?? "") ?? url)
        if let response = Self.response(302, url) {
          client.urlProtocol(self, wasRedirectedTo: target, redirectResponse: response)
        }
        return
      default: break
      }
      if let response = Self.response(200, url) {
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      }
      if let stream = request.httpBodyStream { client.urlProtocol(self, didLoad: Self.all(of: stream)) }
      for _ in 0..<3 { client.urlProtocol(self, didLoad: Data(repeating: 7, count: 400_000)) }
      client.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() { Self.stopped.append(request.url?.absoluteString ?? "") }

    private static func response(_ status: Int, _ url: URL) -> HTTPURLResponse? {
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["X-Own": "yes"])
    }

    private static func all(of stream: InputStream) -> Data {
      stream.open()
      defer { stream.close() }
      var bytes = [UInt8](repeating: 0, count: 1000)
      let count = stream.read(&bytes, maxLength: bytes.count)
      return Data(bytes.prefix(max(0, count)))
    }
  }

  /// Would answer everything, if it were asked.
  private final class Last: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "own" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() { client?.urlProtocolDidFinishLoading(self) }
    override func stopLoading() {}
  }

  private func fixture(_ reactions: Reactions = Reactions(), resourceTimeout: Double = 60) throws -> Fixture {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Own.self, Last.self]
    #expect(configuration.protocolClasses?.count == 2)
    configuration.timeoutIntervalForResource = resourceTimeout
    return try Fixture(Route.standard, reactions, configuration: configuration)
  }

  private func own(_ path: String) throws -> URL { try #require(URL(string: "own://host\(path)")) }

  @Test func `the first class that wants a request answers it, and is stopped at the end (D35)`() async throws {
    let fixture = try fixture()
    let url = try own("/plain?\(UUID())")
    fixture.session.dataTask(with: url).resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "response", "data", "complete", "invalid"])
    #expect(events.dataBytes == 1_200_000)
    #expect(events.contains(.complete(nil)))
    try await Own.stopped.wait { $0.contains(url.absoluteString) }
  }

  @Test func `handler, file and bytes take what a protocol brings; other requests go out as ever (D35)`() async throws {
    let fixture = try fixture()
    let url = try own("/plain")
    #expect(try await fixture.session.data(from: url).0.count == 1_200_000)
    let (file, response) = try await fixture.session.download(from: url)
    #expect(try Data(contentsOf: file).count == 1_200_000)
    try FileManager.default.removeItem(at: file)
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Own") == "yes")
    var count = 0
    for try await _ in try await fixture.session.bytes(from: url).0 { count += 1 }
    #expect(count == 1_200_000)
    #expect(try await fixture.session.data(from: try fixture.url("/ok")).0 == Data("ok".utf8))
    #expect(try await fixture.session.data(from: try #require(URL(string: "data:,hi"))).0 == Data("hi".utf8))
  }

  @Test func `the list is there from the start, so that a class can be put before all others (D35)`() async throws {
    let configurations = [
      URLSessionConfiguration.default, .ephemeral, .background(withIdentifier: "\(UUID())"),
      URLSession.shared.configuration,
    ]
    for configuration in configurations { #expect(configuration.protocolClasses?.isEmpty == true) }
    for configuration in configurations.prefix(2) {
      configuration.protocolClasses?.insert(Last.self, at: 0)
      configuration.protocolClasses?.insert(Own.self, at: 0)
      #expect(configuration.protocolClasses?.map { "\($0)" } == ["Own", "Last"])
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      #expect(session.configuration.protocolClasses?.count == 2)
      #expect(try await session.data(from: try own("/plain")).0.count == 1_200_000)
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Own.self] + (configuration.protocolClasses ?? [])
    #expect(configuration.protocolClasses?.count == 1)
    configuration.protocolClasses = nil
    let copy = try #require(configuration.copy() as? URLSessionConfiguration)
    #expect(configuration.protocolClasses == nil && copy.protocolClasses == nil)
  }

  @Test func `a protocol sees the body of an upload as a stream (D16)`() async throws {
    let fixture = try fixture()
    var request = URLRequest(url: try own("/upload"))
    request.httpMethod = "POST"
    let (data, _) = try await fixture.session.upload(for: request, from: Data("sent".utf8))
    #expect(data.prefix(4) == Data("sent".utf8))
    request.httpBody = Data("task".utf8)
    #expect(try await fixture.session.data(for: request).0.prefix(4) == Data("task".utf8))
  }

  @Test(arguments: [("/error", -1102), ("/empty", -1011)])
  func `a protocol's failure is the task's`(path: String, code: Int) async throws {
    let fixture = try fixture()
    fixture.session.dataTask(with: try own(path)).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .complete(code), .invalid])
  }

  @Test func `an error that a protocol tells arrives as it was`() async throws {
    let fixture = try fixture()
    let foreign = try own("/foreign")
    await #expect {
      try await fixture.session.data(from: foreign)
    } throws: { error in
      (error as NSError).domain == "mine" && (error as NSError).code == 7 && !(error is URLError)
    }
    let typed = try own("/typed")
    await #expect(throws: OwnError.broken) { try await fixture.session.data(from: typed) }
    let task = fixture.session.dataTask(with: typed)
    task.resume()
    try await fixture.recorder.log.wait { $0.last == .complete(nil) }
    #expect(task.error is OwnError)
  }

  @Test func `a protocol sees the address as it was written, and the configuration's fields`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Watcher.self]
    configuration.httpAdditionalHeaders = ["X-More": "more", "X-Own": "theirs"]
    let fixture = try Fixture([Route("/", script: .response(.text("ok")))], configuration: configuration)
    let address = String(fixture.server.url("/").dropLast())
    var request = URLRequest(url: try #require(URL(string: address)))
    request.setValue("own", forHTTPHeaderField: "X-Own")
    #expect(try await fixture.session.data(for: request).0 == Data("ok".utf8))
    #expect(Watcher.seen.all == ["\(address) more own"])
    #expect(fixture.server.log.snapshot().requests.first?["X-Own"] == "own")
  }

  @Test func `a protocol's redirect that nobody answers ends with the resource's time`() async throws {
    var events: [Event] = []
    // A busy machine may use the time up before the question comes; then a task with more time is asked.
    for seconds in [0.3, 10, 50] where !events.contains(.redirect(302)) {
      let fixture = try fixture(Reactions(redirect: { _, _ in }), resourceTimeout: seconds)
      fixture.session.dataTask(with: try own("/redirect?\(fixture.server.url("/ok"))")).resume()
      events = try await fixture.events()
    }
    #expect(events == [.created, .redirect(302), .complete(-1001), .invalid])
  }

  @Test func `a protocol's redirect is asked about, and leads to another protocol or out`() async throws {
    let fixture = try fixture()
    let target = fixture.server.url("/ok")
    fixture.session.dataTask(with: try own("/redirect?\(target)")).resume()
    fixture.session.dataTask(with: try fixture.url("/redirect/302?to=own://host/plain")).resume()
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .redirect(302) } == 2)
    #expect(events.count { $0 == .complete(nil) } == 2)
    #expect(events.dataBytes == 1_200_002)
  }

  @Test func `a class that is registered for all is asked by the shared session, and by no other (D35)`() async throws {
    let url = try #require(URL(string: "own://all/data"))
    #expect(URLProtocol.registerClass(Own.self))
    defer { URLProtocol.unregisterClass(Own.self) }
    #expect(try await URLSession.shared.data(from: url).0.count == 1_200_000)
    let session = URLSession(configuration: .default)
    defer { session.invalidateAndCancel() }
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .unsupportedURL)
  }

  @Test func `a protocol's redirect never leads to a local file (RD-02)`() async throws {
    let fixture = try fixture()
    fixture.session.dataTask(with: try own("/redirect?file:///etc/hostname")).resume()
    #expect(try await fixture.events().contains(.complete(-1002)))
  }

  @Test func `a protocol that never answers ends with the resource's time, or with a cancel`() async throws {
    let timed = try fixture(resourceTimeout: 0.2)
    timed.session.dataTask(with: try own("/never")).resume()
    #expect(try await timed.events().contains(.complete(-1001)))
    let cancelled = try fixture()
    let url = try own("/never?\(UUID())")
    let task = cancelled.session.dataTask(with: url)
    task.resume()
    task.cancel()
    #expect(try await cancelled.events() == [.created, .complete(-999), .invalid])
  }

  @Test func `a suspended task takes nothing from its protocol until it is resumed`() async throws {
    let isFirst = Locked(true)
    let fixture = try fixture(
      Reactions(data: { task, _ in
        let suspends = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if suspends {
          task.suspend()
          task.resume()
        }
      }))
    fixture.session.dataTask(with: try own("/plain")).resume()
    let events = try await fixture.events()
    #expect(events.dataBytes == 1_200_000)
  }
}
