// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import SessionAPI
import Testing

/// Overrides each form for tasks, in a file that imports both modules.
private final class Both: SessionAPI.URLProtocol {
  override class func canInit(with task: URLSessionTask) -> Bool { task.originalRequest?.url?.scheme == "both" }
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "both" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any SessionAPI.URLProtocolClient)?) {
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  required convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any SessionAPI.URLProtocolClient)?
  ) {
    var request = task.originalRequest ?? URLRequest(url: URL(filePath: "/"))
    request.setValue("task", forHTTPHeaderField: "X-Made-For")
    self.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  override func startLoading() {
    guard let url = request.url else { return }
    let response = URLResponse(url: url, mimeType: "text/plain", expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data((request.value(forHTTPHeaderField: "X-Made-For") ?? "request").utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// B.4: the class with tasks has all its forms in a file that imports both modules, by its full name.
@Suite struct BothModulesTests {
  @Test func `the forms for tasks can be overridden where both modules are imported (B.4)`() async throws {
    let request = URLRequest(url: try #require(URL(string: "both://a/")))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses?.insert(Both.self, at: 0)
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    #expect(try await session.data(for: request).0 == Data("task".utf8))
    let task = session.dataTask(with: request)
    #expect(Both.canInit(with: task) && Both.canInit(with: request))
    task.cancel()
    #expect(SessionAPI.URLProtocol.registerClass(Both.self))
    defer { SessionAPI.URLProtocol.unregisterClass(Both.self) }
    let (_, data) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
    #expect(data == Data("request".utf8))
  }
}
