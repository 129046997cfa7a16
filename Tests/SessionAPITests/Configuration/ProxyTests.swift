// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.4, `connectionProxyDictionary`: what goes through which proxy, and B.11 and B.15 about it.
@Suite(.exitTests) struct ProxyTests {
  @Test func `an http request is handed on by the proxy for http (B.4)`() async throws {
    let way = try ProxyWay(secure: false, LoopbackProxy())
    let outcome = try await way.load("/echo?a=b")
    #expect(outcome.status == 200)
    #expect(way.proxy.asked.map(\.line) == ["GET \(way.server.url("/echo?a=b")) HTTP/1.1"])
    let request = try #require(way.server.log.snapshot().requests.first)
    #expect(request["X-Proxy"] == "forward" && request.target == "/echo?a=b")
    let transaction = try #require(try await way.user.metrics.wait { !$0.isEmpty }.first?.transactionMetrics.first)
    #expect(transaction.isProxyConnection && transaction.remotePort == way.proxy.port)
  }

  @Test func `an https request goes through a tunnel, and what the proxy says stays outside (B.4)`() async throws {
    let way = try ProxyWay(secure: true, LoopbackProxy())
    for _ in 1...2 {
      #expect(try await way.load().value == Data("ok".utf8))
    }
    // Once so that the server shows its certificate, because there is a delegate to ask, and once for both requests.
    let line = "CONNECT 127.0.0.1:\(way.server.port) HTTP/1.1"
    #expect(way.proxy.asked.map(\.line) == [line, line])
    #expect(way.server.log.snapshot().sockets.filter { $0.requests > 0 }.count == 1)
    let all = try await way.user.metrics.wait { $0.count == 2 }.flatMap(\.transactionMetrics)
    for transaction in all {
      #expect(transaction.isProxyConnection)
      #expect(transaction.networkProtocolName == "h2")
      #expect((transaction.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Proxy") == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a path goes through a proxy as the program wrote it (A.7, B.4)`(isSecure: Bool) async throws {
    let path = "/echo/%e4%2e%2e/./x?%2f=%2F"
    let way = try ProxyWay(secure: isSecure, LoopbackProxy())
    _ = try await way.load(path)
    let line = isSecure ? "CONNECT 127.0.0.1:\(way.server.port) HTTP/1.1" : "GET \(way.server.url(path)) HTTP/1.1"
    #expect(way.proxy.asked.first?.line == line)
    #expect(way.server.log.snapshot().requests.first?.target == path)
  }

  @Test(arguments: [false, true])
  func `SOCKS takes what has no proxy of its own, and resolves names itself (B.4)`(isSecure: Bool) async throws {
    let way = try ProxyWay(secure: isSecure, LoopbackProxy(), socks: true)
    #expect(try await way.load(host: "localhost").status == 200)
    #expect(way.proxy.asked.first?.line == "SOCKS localhost:\(way.server.port)")
  }

  @Test(
    arguments: [
      ["HTTPEnable": 0], ["ExceptionsList": ["*.example", "127.0.0.1"]], ["ExceptionsList": ["127.0/16"]],
    ] as [[String: any Sendable & Hashable]])
  func `a proxy that is off, or an exception, leads straight to the server (B.4)`(
    more: [String: any Sendable & Hashable]
  ) async throws {
    let way = try ProxyWay(secure: false, LoopbackProxy(), more)
    #expect(try await way.load().status == 200)
    #expect(way.proxy.asked.isEmpty)
    let transaction = try #require(try await way.user.metrics.wait { !$0.isEmpty }.first?.transactionMetrics.first)
    #expect(!transaction.isProxyConnection && transaction.remotePort == Int(way.server.port))
  }

  @Test func `the dictionary is read back, and copied with the configuration (B.4)`() {
    let configuration = URLSessionConfiguration.default
    #expect(configuration.connectionProxyDictionary == nil)
    configuration.connectionProxyDictionary = [
      kCFNetworkProxiesHTTPEnable: true, kCFNetworkProxiesHTTPProxy: "a.example", kCFNetworkProxiesHTTPPort: 3128,
      kCFNetworkProxiesExceptionsList: ["b.example"],
    ]
    let session = URLSession(configuration: configuration)
    let read = session.configuration.connectionProxyDictionary
    #expect(read?["HTTPEnable"] as? Int == 1 && read?["HTTPProxy"] as? String == "a.example")
    #expect(read?["HTTPPort"] as? Int == 3128 && read?["ExceptionsList"] as? [String] == ["b.example"])
    configuration.connectionProxyDictionary = [:]
    #expect(configuration.connectionProxyDictionary?.isEmpty == true)
    session.finishTasksAndInvalidate()
  }

  // MARK: - Who is there?

  @Test(arguments: [false, true])
  func `a proxy's challenge has a space that is a proxy's, and its answer goes to nobody else (B.11)`(
    isSecure: Bool
  ) async throws {
    let way = try ProxyWay(secure: isSecure, LoopbackProxy(credential: "lesson:secret")) { challenge in
      (
        .useCredential,
        URLCredential(
          user: "lesson", password: challenge.previousFailureCount > 0 ? "secret" : "no", persistence: .forSession)
      )
    }
    for _ in 1...2 { #expect(try await way.load().value == Data("ok".utf8)) }
    let challenges = way.user.challenges.withLock { $0 }
    #expect(challenges.map(\.previousFailureCount) == [0, 1], "the second load was not asked")
    for challenge in challenges {
      let space = challenge.protectionSpace
      #expect(space.isProxy() && space.realm == "proxy" && space.host == "127.0.0.1" && space.port == way.proxy.port)
      #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
      #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 407)
    }
    for request in way.server.log.snapshot().requests {
      #expect(request["Proxy-Authorization"] == nil && request["Authorization"] == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a proxy that wants Digest gets it for what it is asked itself (B.11)`(isSecure: Bool) async throws {
    let door = DigestGuard(DigestSettings())
    let way = try ProxyWay(secure: isSecure, LoopbackProxy(asks: { door.challenge(after: $0, $1, $2) })) { challenge in
      (
        .useCredential,
        URLCredential(
          user: "lesson", password: challenge.previousFailureCount > 0 ? "secret" : "no", persistence: .forSession)
      )
    }
    for _ in 1...2 { #expect(try await way.load().value == Data("ok".utf8)) }
    let methods = way.user.challenges.withLock { $0.map(\.protectionSpace.authenticationMethod) }
    #expect(methods == [NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTTPDigest])
    #expect(way.proxy.asked.allSatisfy { $0.line.hasPrefix(isSecure ? "CONNECT 127.0.0.1:" : "GET http://127.0.0.1:") })
    for request in way.server.log.snapshot().requests {
      #expect(request["Proxy-Authorization"] == nil && request["Authorization"] == nil)
    }
  }

  @Test func `without an answer a 407 is the response over http, and the end over https (B.11)`() async throws {
    let plain = try ProxyWay(secure: false, LoopbackProxy(credential: "lesson:secret"))
    let outcome = try await plain.load()
    #expect(outcome.status == 407 && outcome.value == Data("who?".utf8))
    let secure = try ProxyWay(secure: true, LoopbackProxy(credential: "lesson:secret"))
    #expect(try await secure.load().error?.code == .userAuthenticationRequired)
    #expect(plain.server.log.snapshot().requests.isEmpty && secure.server.log.snapshot().requests.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a cancelled challenge of a proxy ends the task (B.11)`(isSecure: Bool) async throws {
    let way = try ProxyWay(secure: isSecure, LoopbackProxy(credential: "lesson:secret")) { _ in
      (.cancelAuthenticationChallenge, nil)
    }
    #expect(try await way.load().error?.code == .cancelled)
  }

  @Test(arguments: [false, true])
  func `a body is sent whole once the proxy is content (B.11)`(isSecure: Bool) async throws {
    let way = try ProxyWay(secure: isSecure, LoopbackProxy(credential: "lesson:secret")) { _ in
      (.useCredential, URLCredential(user: "lesson", password: "secret", persistence: .none))
    }
    var request = URLRequest(url: try #require(URL(string: way.server.url("/upload"))))
    request.httpMethod = "POST"
    let (sent, body) = (request, Data(SeededBody(seed: 4).bytes(0..<200_000)))
    let outcome: Outcome<Data> = await way.session.outcome {
      way.session.uploadTask(with: sent, from: body, completionHandler: $0)
    }
    #expect(outcome.status == 200)
    let log = way.server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.map(\.bodyChecksum) == [SeededBody.checksum(seed: 4, size: 200_000)])
  }

  // MARK: - Proxies that fail

  @Test func `a proxy that opens no tunnel, or is not there, is a server that cannot be reached (B.4)`() async throws {
    let refusing = try ProxyWay(secure: true, LoopbackProxy(refusal: "502 Bad Gateway"))
    #expect(try await refusing.load().error?.code == .cannotConnectToHost)
    let closed = ClosedPort()
    let port = try #require(URL(string: closed.url)?.port)
    for (isSecure, isSOCKS) in [(false, false), (true, false), (false, true)] {
      let name = isSOCKS ? "SOCKSPort" : isSecure ? "HTTPSPort" : "HTTPPort"
      let way = try ProxyWay(secure: isSecure, LoopbackProxy(), [name: port], socks: isSOCKS)
      #expect(try await way.load().error?.code == .cannotConnectToHost)
    }
  }

  // MARK: - The environment

  @Test func `without a dictionary the environment names proxies, but never for this machine (B.4, AU-13)`()
    async throws
  {
    let proxy = LoopbackProxy(credential: "lesson:secret")
    let server = LessonServer()
    try server.start()
    await #expect(processExitsWith: .success) { [port = proxy.port as Int, url = server.url("/ok") as String] in
      setenv("http_proxy", "http://lesson:secret@127.0.0.1:\(port)", 1)
      setenv("HTTPS_PROXY", "http://127.0.0.1:1", 1)
      setenv("no_proxy", ".direct.example", 1)
      let session = URLSession(configuration: .ephemeral)
      let direct = try #require(URL(string: url))
      let serverPort = try #require(direct.port)
      let away = try #require(URL(string: "http://lesson.invalid:\(serverPort)/ok"))
      // The lesson server answers to no foreign name; the answer shows that it was asked.
      for (url, status) in [(direct, 200), (away, 421)] {
        let outcome: Outcome<Data> = await session.outcome { session.dataTask(with: url, completionHandler: $0) }
        #expect(outcome.status == status)
      }
      session.finishTasksAndInvalidate()
    }
    #expect(proxy.asked.map(\.line).last == "GET http://lesson.invalid:\(server.port)/ok HTTP/1.1")
    #expect(proxy.asked.count == 2, "refused once, then with what stands in the variable")
    #expect(server.log.snapshot().requests.map { $0["X-Proxy"] } == [nil, "forward"])
    proxy.stop()
    server.stop()
  }

  @Test func `what libcurl's command line would read is not read (AU-13)`() async throws {
    let directory = try TestDirectory()
    try Data("machine 127.0.0.1 login lesson password secret\n".utf8).write(to: directory.url.appending(path: ".netrc"))
    try Data("user = lesson:secret\nproxy = 127.0.0.1:1\n".utf8).write(to: directory.url.appending(path: ".curlrc"))
    let server = LessonServer()
    try server.start()
    await #expect(processExitsWith: .success) {
      [home = directory.url.path as String, url = server.url("/basic") as String] in
      setenv("HOME", home, 1)
      setenv("CURL_HOME", home, 1)
      let session = URLSession(configuration: .ephemeral)
      let url = try #require(URL(string: url))
      let outcome: Outcome<Data> = await session.outcome { session.dataTask(with: url, completionHandler: $0) }
      #expect(outcome.status == 401)
      session.finishTasksAndInvalidate()
    }
    #expect(server.log.snapshot().requests.map { $0["Authorization"] } == [nil])
    server.stop()
  }
}
