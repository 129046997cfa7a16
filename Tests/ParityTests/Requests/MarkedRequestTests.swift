// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import Testing

/// How often the classes below made themselves, so that a lost mark ends in a failure and not in an endless recursion.
private let made = Locked(0)
private let key = "marked"

/// Marks its request, and loads it by a session that asks this class again; derived from the class that has tasks.
private final class SessionMarker: SessionAPI.URLProtocol, @unchecked Sendable {
  // Sendable: nothing changes after it is made.
  override class func canInit(with request: URLRequest) -> Bool {
    property(forKey: key, in: request) == nil && made.withLock { $0 } < 4
  }

  override func startLoading() {
    made.withLock { $0 += 1 }
    guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
    Self.setProperty("by \(made.withLock { $0 })", forKey: key, in: copy)
    var marked = copy as URLRequest
    marked.setValue(Self.property(forKey: key, in: marked) as? String, forHTTPHeaderField: "X-Mark")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Self.self]
    let session = URLSession(configuration: configuration)
    session.dataTask(with: marked) { data, response, _ in
      if let response { self.client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
      self.client?.urlProtocol(self, didLoad: data ?? Data())
      self.client?.urlProtocolDidFinishLoading(self)
    }.resume()
    session.finishTasksAndInvalidate()
  }
}

/// The same by a connection, for which the class is registered; derived from the class that knows requests alone.
private final class ConnectionMarker: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    request.url?.path.hasPrefix("/marked/") == true && property(forKey: key, in: request) == nil
      && made.withLock { $0 } < 4
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    made.withLock { $0 += 1 }
    guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
    URLProtocol.setProperty("by \(made.withLock { $0 })", forKey: key, in: copy)
    var marked = copy as URLRequest
    marked.setValue(URLProtocol.property(forKey: key, in: marked) as? String, forHTTPHeaderField: "X-Mark")
    // Nothing in it changes after it is made.
    nonisolated(unsafe) let answering = self
    NSURLConnection.sendAsynchronousRequest(marked, queue: OperationQueue()) { response, data, _ in
      if let response {
        answering.client?.urlProtocol(answering, didReceive: response, cacheStoragePolicy: .notAllowed)
      }
      answering.client?.urlProtocol(answering, didLoad: data ?? Data())
      answering.client?.urlProtocolDidFinishLoading(answering)
    }
  }

  override func stopLoading() {}
}

/// B.4: what a protocol marks in its request is there when the request comes back to it, also behind a redirect.
@Suite(.serialized) struct MarkedRequestTests {
  private let server = LessonServer(
    routes: [
      Route("/marked/from", script: .response(Response(302, fields: [HeaderField("Location", "/marked/to")]))),
      Route("/marked/to", script: .response(.text("ok"))),
    ])

  private func request() throws -> URLRequest {
    made.withLock { $0 = 0 }
    try server.start()
    var request = URLRequest(url: try #require(URL(string: server.url("/marked/from"))))
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    return request
  }

  private func sawOneMark() -> Bool {
    let requests = server.log.snapshot().requests
    return made.withLock { $0 } == 1 && requests.map { $0["X-Mark"] } == ["by 1", "by 1"]
      && requests.map(\.method) == ["POST", "GET"] && requests.first?.bodyBytes == 4
  }

  @Test func `a session's protocol finds its mark in canInit (B.4)`() async throws {
    let request = try request()
    defer { server.stop() }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [SessionMarker.self]
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    #expect(try await session.data(for: request).0 == Data("ok".utf8))
    #expect(sawOneMark())
  }

  @Test func `a connection's protocol finds its mark in canInit (A.1)`() async throws {
    let request = try request()
    defer { server.stop() }
    #expect(URLProtocol.registerClass(ConnectionMarker.self))
    defer { URLProtocol.unregisterClass(ConnectionMarker.self) }
    #expect(try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue()).1 == Data("ok".utf8))
    #expect(sawOneMark())
  }
}
