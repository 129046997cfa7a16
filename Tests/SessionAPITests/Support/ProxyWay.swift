// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// Answers challenges that are not about trust, and notes them and the metrics.
final class ProxyUser: NSObject, URLSessionTaskDelegate {
  typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)
  let challenges = Locked<[URLAuthenticationChallenge]>([])
  let metrics = EventLog<URLSessionTaskMetrics>()
  let answer: @Sendable (URLAuthenticationChallenge) -> Answer

  init(_ answer: @escaping @Sendable (URLAuthenticationChallenge) -> Answer) { self.answer = answer }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard challenge.protectionSpace.serverTrust == nil else { return completionHandler(.performDefaultHandling, nil) }
    challenges.withLock { $0.append(challenge) }
    let (disposition, credential) = answer(challenge)
    completionHandler(disposition, credential)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    self.metrics.append(metrics)
  }
}

/// A server, http or https, and a session that reaches it through a proxy.
final class ProxyWay: Sendable {
  let server: LessonServer
  let proxy: LoopbackProxy
  let user: ProxyUser
  let session: URLSession

  init(
    secure: Bool, _ proxy: LoopbackProxy, _ more: [AnyHashable: Any] = [:], socks: Bool = false,
    configurations: [ProxyConfiguration] = [], routes: [Route] = Route.standard,
    answer: @escaping @Sendable (URLAuthenticationChallenge) -> ProxyUser.Answer = { _ in (.performDefaultHandling, nil)
    }
  ) throws {
    let authority = try CertificateAuthority()
    server = LessonServer(routes: routes, tls: secure ? TLSSettings(authority: authority) : nil)
    try server.start()
    self.proxy = proxy
    user = ProxyUser(answer)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.values.withLock { $0.wire.authorities = Data(authority.pem.utf8) }
    let name = socks ? "SOCKS" : secure ? "HTTPS" : "HTTP"
    let own: [AnyHashable: Any] = [name + "Enable": 1, name + "Proxy": "127.0.0.1", name + "Port": proxy.port]
    configuration.connectionProxyDictionary = own.merging(more) { $1 }
    configuration.proxyConfigurations = configurations
    session = URLSession(configuration: configuration, delegate: user, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
    server.stop()
    proxy.stop()
  }

  func load(_ path: String = "/ok", host: String = "127.0.0.1") async throws -> Outcome<Data> {
    let url = try #require(URL(string: server.url(path, host: host)))
    return await session.outcome { session.dataTask(with: url, completionHandler: $0) }
  }
}
