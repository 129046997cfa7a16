// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// Canonicalisation, redirects to other origins, and what errors carry: A.1, A.7, A.11, B.13.
@Suite(.inOrder) struct CanonicalRequestTests {
  @Test func `the canonical request is what the delegate is asked about and what is current (A.1, A.7)`() async throws {
    let server = try LessonServer.running([Route("/", script: .response(.text("root")))])
    let spelled = try #require(URL(string: server.url("").replacing("http", with: "HTTP")))
    let delegate = RecordingDelegate()
    let connection = try await onOwnThread {
      let connection = NSURLConnection(request: URLRequest(url: spelled), delegate: delegate)
      #expect(runLoop { delegate.isOver })
      return connection
    }
    let canonical = server.url("/")
    #expect(delegate.course == "wrdf")
    #expect(delegate.record.withLock { $0.requests.map { $0.url?.absoluteString } } == [canonical])
    #expect(delegate.record.withLock { $0.responses.first?.url?.absoluteString } == canonical)
    #expect(connection?.currentRequest.url?.absoluteString == canonical)
    #expect(connection?.originalRequest.url == spelled)
  }

  @Test func `Authorization and Cookie of the program's stay with their origin (B.13, E4)`() async throws {
    let (one, other) = (try LessonServer.running(), try LessonServer.running())
    for (path, isSame) in [("/redirect/302?to=/ok", true), ("/redirect/307?to=\(other.url("/ok"))", false)] {
      var request = try one.request(path)
      request.httpShouldHandleCookies = false
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      request.setValue("a=b", forHTTPHeaderField: "Cookie")
      request.setValue("kept", forHTTPHeaderField: "X-Own")
      let delegate = RecordingDelegate()
      try await onOwnThread { [request] in
        _ = NSURLConnection(request: request, delegate: delegate)
        #expect(runLoop { delegate.isOver })
      }
      let last = try #require((isSame ? one : other).log.snapshot().requests(for: "/ok").last)
      #expect(last["Authorization"] == (isSame ? "Bearer secret" : nil))
      #expect(last["Cookie"] == (isSame ? "a=b" : nil))
      #expect(last["X-Own"] == "kept")
    }
  }

  @Test func `a target of another scheme is asked about, and fails with -1002 when followed (A.7)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/redirect/302?to=myapp://open")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.isOver })
    }
    #expect(delegate.course == "wwe")
    #expect(delegate.record.withLock { $0.requests.last?.url?.absoluteString } == "myapp://open")
    #expect((delegate.record.withLock { $0.error } as? URLError)?.code == .unsupportedURL)
  }

  @Test func `an error carries both failing URLs, the cause and a text (A.11)`() async throws {
    let server = try LessonServer.running([Route("/nothing", script: [.end(.fin)])])
    for path in ["/nothing", "/redirect/302?to=gopher://127.0.0.1/"] {
      let request = try server.request(path)
      let error = try await onOwnThread {
        #expect(throws: URLError.self) { try NSURLConnection.sendSynchronousRequest(request, returning: nil) }
      }
      let info = try #require(error).userInfo
      let url = try #require(info[NSURLErrorFailingURLErrorKey] as? URL)
      #expect(info["NSErrorFailingURLStringKey"] as? String == url.absoluteString)
      #expect(error?.failingURL == url)
      #expect((info[NSUnderlyingErrorKey] as? NSError)?.localizedDescription.isEmpty == false)
      #expect((info[NSLocalizedDescriptionKey] as? String)?.isEmpty == false)
      #expect((error as NSError?)?.domain == NSURLErrorDomain)
    }
  }
}
