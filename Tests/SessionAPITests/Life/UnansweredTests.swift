// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// A delegate that never answers, after the transfer has ended: the task ends with the resource's time (B.4).
@Suite struct UnansweredTests {
  /// Rejects so many protection spaces and, where wanted, redirects; it keeps all other handlers without calling them.
  private final class Silent: NSObject, URLSessionDataDelegate {
    typealias Decision = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    /// The challenges answered at first, by a rejection of their protection space.
    let rejected = Locked(0)
    let refusesRedirects: Bool
    let open = EventLog<String>()
    private let kept = Locked<[Any]>([])

    init(rejecting count: Int = 0, refusesRedirects: Bool = false) {
      self.refusesRedirects = refusesRedirects
      rejected.withLock { $0 = count }
    }

    private func keep(_ handler: Any, _ question: String) {
      kept.withLock { $0.append(handler) }
      open.append(question)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Decision
    ) {
      guard challenge.protectionSpace.serverTrust == nil else { return completionHandler(.performDefaultHandling, nil) }
      let rejects = rejected.withLock { count in
        count -= 1
        return count >= 0
      }
      if rejects { completionHandler(.rejectProtectionSpace, nil) } else { keep(completionHandler, "challenge") }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      if refusesRedirects { completionHandler(nil) } else { keep(completionHandler, "redirect") }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      keep(completionHandler, "response")
    }

    private let ends = EventLog<Int>()

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      ends.append((error as? URLError)?.errorCode ?? 0)
    }

    /// The one end of the task, as the error's code.
    var end: Int {
      get async throws { try await ends.wait { !$0.isEmpty }[0] }
    }
  }

  private static let routes = [
    Route(
      "/two-spaces",
      script: .response(
        Response(
          401,
          fields: [
            HeaderField("WWW-Authenticate", "Digest realm=\"a\", nonce=\"n\", qop=\"auth\""),
            HeaderField("WWW-Authenticate", "Basic realm=\"b\""),
          ]))),
    Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/to")]))),
  ]

  /// Loads until the end; the question stands open then. A busy machine may use the time up before it comes; then a task
  /// with more time is asked.
  private func end(
    of path: String, _ silent: @autoclosure () -> Silent, asked question: String, secure: Bool = false,
    _ proxy: @autoclosure () -> LoopbackProxy? = nil
  ) async throws -> Int {
    var (end, questions) = (0, [String]())
    for seconds in [2.0, 10, 50] where questions.isEmpty {
      let silent = silent()
      end = try await self.end(of: path, silent, within: seconds, secure: secure, proxy())
      questions = silent.open.all
    }
    #expect(questions == [question])
    return end
  }

  private func end(
    of path: String, _ silent: Silent, within seconds: TimeInterval, secure: Bool, _ proxy: LoopbackProxy?
  ) async throws -> Int {
    let authority = try CertificateAuthority()
    let server = LessonServer(routes: Self.routes, tls: secure ? TLSSettings(authority: authority) : nil)
    try server.start()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = seconds
    configuration.protocolClasses = [Redirecting.self]
    configuration.values.withLock { $0.wire.authorities = Data(authority.pem.utf8) }
    if let proxy {
      configuration.connectionProxyDictionary = [
        "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": proxy.port,
      ]
    }
    let session = URLSession(configuration: configuration, delegate: silent, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: path.hasPrefix("/") ? server.url(path) : path))
    session.dataTask(with: url).resume()
    return try await silent.end
  }

  @Test func `a tunnel's 407`() async throws {
    let proxy = LoopbackProxy(credential: "lesson:secret")
    #expect(try await end(of: "/", Silent(), asked: "challenge", secure: true, proxy) == -1001)
  }

  @Test func `the second protection space of a 401`() async throws {
    #expect(try await end(of: "/two-spaces", Silent(rejecting: 1), asked: "challenge") == -1001)
  }

  @Test func `a redirect`() async throws {
    #expect(try await end(of: "/from", Silent(), asked: "redirect") == -1001)
  }

  @Test func `the response that a refused redirect is`() async throws {
    #expect(try await end(of: "/from", Silent(refusesRedirects: true), asked: "response") == -1001)
  }

  @Test func `a redirect told by a program's own protocol`() async throws {
    #expect(try await end(of: "unanswered://a/b", Silent(), asked: "redirect") == -1001)
  }

  /// Redirects each request of its scheme.
  private final class Redirecting: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "unanswered" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}
    override func startLoading() {
      guard let url = request.url, let target = URL(string: "http://127.0.0.1:9/"),
        let response = HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil)
      else { return }
      client?.urlProtocol(self, wasRedirectedTo: URLRequest(url: target), redirectResponse: response)
    }
  }
}
