// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// Which methods are asked about a challenge, and when: the table of A.6. What each answer of the sender leads to is
/// tested on both APIs together, in `ParityTests`.
@Suite(.inOrder) struct ChallengeRowTests {
  private static let routes = [
    Route.basic("/basic"), Route.basic("/other", realm: "other"),
    Route("/cut/*") { request in
      [
        .text("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 9\r\n\r\n"),
        .gate(request.head.path), .end(.rst),
      ]
    },
  ]

  /// Loads on a loop of its own and waits for the end.
  private func load(_ url: String, _ delegate: any Noting, _ change: (inout URLRequest) -> Void = { _ in })
    async throws
  {
    var request = URLRequest(url: try #require(URL(string: url)))
    change(&request)
    try await onOwnThread { [request, delegate = Carried(value: delegate)] in
      _ = NSURLConnection(request: request, delegate: delegate.value)
      RunLoop.current.run()  // ends with the load
    }
    #expect(delegate.notes.isOver)
  }

  private func withUser(_ url: String, _ user: String = "lesson:secret") -> String {
    url.replacingOccurrences(of: "http://", with: "http://\(user)@")
  }

  @Test func `the modern method is asked alone, the credential storage once and first of all (A.6)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let notes = Notes()
    try await load(server.url("/basic"), ModernNoting(notes))
    #expect(notes.course == "kwmrdf")
    let record = notes.record.withLock { $0 }
    #expect(record.calls.count { $0 == "k" } == 1)
    #expect(record.status == 200)
    #expect(record.threads.count == 1, "A.2: those with an answer are called where the others are")
  }

  @Test func `without the modern method it is asked whether, then what (A.6)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let notes = Notes()
    try await load(server.url("/basic"), LegacyNoting(notes))
    #expect(notes.course == "kwalrdf")
    #expect(notes.record.withLock { $0.status } == 200)
    #expect(notes.record.withLock { $0.threads.count } == 1)
  }

  @Test func `a space that is not the delegate's business is handled by default (A.6)`() async throws {
    let server = try LessonServer.running(Self.routes)
    for (url, status) in [(server.url("/basic"), 401), (withUser(server.url("/basic")), 200)] {
      let notes = Notes(canAuthenticate: false)
      try await load(url, LegacyNoting(notes))
      #expect(notes.course == "kwardf")
      #expect(notes.record.withLock { $0.status } == status)
    }
  }

  @Test func `with no method at all the URL's credential goes, then the stored one, each once (A.6)`() async throws {
    let server = try LessonServer.running(Self.routes)
    func status(_ url: String) async throws -> Int? {
      let notes = Notes()
      try await load(url, PlainNoting(notes))
      #expect(notes.course == "kwrdf")
      return notes.record.withLock { $0.status }
    }
    #expect(try await status(server.url("/other")) == 401)
    #expect(try await status(withUser(server.url("/other"), "lesson:wrong")) == 401)
    let sent = server.log.snapshot().requests.map { $0["Authorization"] != nil }
    #expect(sent == [false, false, true], "what failed once is not tried again")
    let space = URLProtectionSpace(
      host: "127.0.0.1", port: Int(server.port), protocol: NSURLProtectionSpaceHTTP, realm: "other",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    URLCredentialStorage.shared.set(
      URLCredential(user: "lesson", password: "secret", persistence: .forSession), for: space)
    #expect(try await status(server.url("/other")) == 200)
    #expect(try await status(withUser(server.url("/basic"))) == 200)
  }

  @Test func `without the credential storage nothing stored goes along (A.6)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let space = URLProtectionSpace(
      host: "127.0.0.1", port: Int(server.port), protocol: NSURLProtectionSpaceHTTP, realm: "lesson",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    URLCredentialStorage.shared.set(
      URLCredential(user: "lesson", password: "secret", persistence: .forSession), for: space)
    let notes = Notes(usesStorage: false)
    try await load(server.url("/basic"), PlainNoting(notes))
    #expect(notes.record.withLock { $0.status } == 401)
    #expect(server.log.snapshot().requests.map { $0["Authorization"] } == [nil])
  }

  @Test func `left out, canAuthenticate is true but for certificates (A.6)`() throws {
    let url = try #require(URL(string: "http://127.0.0.1/"))
    let connection = try #require(
      NSURLConnection(request: URLRequest(url: url), delegate: nil, startImmediately: false))
    let delegate = PlainNoting(Notes())
    func can(_ method: String) -> Bool {
      delegate.connection(
        connection,
        canAuthenticateAgainstProtectionSpace: URLProtectionSpace(
          host: "127.0.0.1", port: 443, protocol: NSURLProtectionSpaceHTTPS, realm: nil, authenticationMethod: method))
    }
    let methods = [
      NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
      NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
      NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
    ]
    #expect(methods.map(can) == [true, true, true, true, true, true, false, false])
  }

  @Test func `a challenge that the load withdraws is told of, before the failure (A.6)`() async throws {
    let server = try LessonServer.running(Self.routes)
    for isModern in [true, false] {
      let path = "/cut/\(isModern)"
      let notes = Notes { _, _ in server.open(gate: path) }
      try await load(server.url(path), isModern ? ModernNoting(notes) : LegacyNoting(notes))
      #expect(notes.course == (isModern ? "kwmxe" : "kwalxe"))
      #expect(notes.record.withLock { $0.error?.code } == .networkConnectionLost)
    }
  }

  @Test func `a cancel while a challenge waits is silent, and answers come too late (A.5)`() async throws {
    let server = try LessonServer.running(Self.routes)
    let notes = Notes { connection, _ in connection.cancel() }
    let request = try server.request("/basic")
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: ModernNoting(notes))
      RunLoop.current.run()  // returns because the connection has let go
    }
    #expect(notes.course == "kwm")
    let challenge = try #require(notes.record.withLock { $0.challenge })
    challenge.sender?.use(URLCredential(user: "lesson", password: "secret", persistence: .none), for: challenge)
    challenge.sender?.cancel(challenge)
    // Whatever they led to would have been sent before this is answered: all loads have one thread.
    _ = try await NSURLConnection.sendAsynchronousRequest(try server.request("/ok"), queue: OperationQueue())
    #expect(server.log.snapshot().requests(for: "/basic").count == 1)
    #expect(notes.course == "kwm")
  }

  @Test func `all calls with an answer come where the connection is scheduled (A.2)`() async throws {
    let cacheable = HeaderField("Cache-Control", "max-age=3600")
    let server = try LessonServer.running([
      Route("/from", script: .response(Response(307, fields: [HeaderField("Location", "/to")]))),
      Route("/to", script: .response(.text("ok"))),
      Route("/kept", script: .response(Response(fields: [cacheable], body: .bytes(Array("ok".utf8))))),
    ])
    let (sending, keeping) = (Notes(), Notes())
    var post = try server.request("/from")
    post.httpMethod = "POST"
    post.httpBodyStream = InputStream(data: Data("body".utf8))
    let get = try server.request("/kept")
    try await onOwnThread { [post] in
      let worker = LoopThread(.default)
      for (request, notes) in [(post, sending), (get, keeping)] {
        let connection = NSURLConnection(request: request, delegate: PlainNoting(notes), startImmediately: false)
        connection?.schedule(in: worker.loop.value, forMode: .default)
        connection?.start()
      }
      #expect(runLoop { sending.isOver && keeping.isOver })
      worker.stop()
      #expect([sending, keeping].map { $0.record.withLock { $0.threads } } == [[worker.number], [worker.number]])
    }
    #expect(sending.course == "kwnrdf")
    #expect(keeping.course == "kwrdcf")
  }
}
