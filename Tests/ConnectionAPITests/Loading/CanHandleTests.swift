// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// Which requests can be loaded: A.1, B.16.
@Suite(.inOrder) struct CanHandleTests {
  @Test(arguments: ["http://a/", "HTTPS://a/", "data:,x", "file:///etc/hostname"])
  func `canHandle knows every scheme that is loaded (A.1)`(url: String) throws {
    #expect(NSURLConnection.canHandle(URLRequest(url: try #require(URL(string: url)))))
  }

  @Test(arguments: ["ftp://a/", "gopher://a/", "about:blank", "unheard:x", "relative"])
  func `canHandle knows no other (A.1)`(url: String) throws {
    #expect(!NSURLConnection.canHandle(URLRequest(url: try #require(URL(string: url)))))
  }

  /// Answers the scheme `greeting`.
  private final class Greeting: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "greeting" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
      guard let url = request.url else { return }
      let body = Data((url.host ?? "").utf8)
      let response = URLResponse(
        url: url, mimeType: "text/plain", expectedContentLength: body.count, textEncodingName: nil)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: body)
      client?.urlProtocolDidFinishLoading(self)
    }
    override func stopLoading() {}
  }

  @Test func `a protocol class that is registered counts, and loads, until it is taken back (A.1)`() async throws {
    let request = URLRequest(url: try #require(URL(string: "greeting://hello/")))
    func load() async throws -> RecordingDelegate {
      let delegate = RecordingDelegate()
      try await onOwnThread {
        _ = NSURLConnection(request: request, delegate: delegate)
        RunLoop.current.run()
      }
      return delegate
    }
    #expect(!NSURLConnection.canHandle(request))
    #expect(URLProtocol.registerClass(Greeting.self))
    #expect(!URLProtocol.registerClass(NSObject.self), "no protocol class")
    #expect(NSURLConnection.canHandle(request))
    let loaded = try await load()
    #expect(loaded.course == "wrdf")
    #expect(loaded.record.withLock { $0.body } == Data("hello".utf8))
    let (_, data) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
    #expect(data == Data("hello".utf8))
    URLProtocol.unregisterClass(Greeting.self)
    #expect(!NSURLConnection.canHandle(request))
    let refused = try await load()
    #expect((refused.record.withLock { $0.error } as? URLError)?.code == .unsupportedURL)
  }

  @Test func `an object that is no delegate at all is told nothing, and the load runs (A.3)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: "no delegate")
      RunLoop.current.run()
    }
    #expect(server.log.settled(within: .seconds(90)).requests(for: "/ok").map(\.status) == [200])
  }

  @Test func `a thread that is blocked hears nothing, and can still make the synchronous call (A.8)`() async throws {
    let server = try LessonServer.running()
    let (path, other) = (try server.request("/1k"), try server.request("/ok"))
    let delegate = RecordingDelegate()
    try await onOwnThread {
      _ = NSURLConnection(request: path, delegate: delegate)
      let data = try NSURLConnection.sendSynchronousRequest(other, returning: nil)
      #expect(data == Data("ok".utf8))
      // Silence is what is tested.
      Thread.sleep(forTimeInterval: 0.3)
      #expect(delegate.calls == "", "A.2: nothing comes while the thread is blocked")
      RunLoop.current.run()
    }
    #expect(delegate.course == "wrdf")
  }
}
