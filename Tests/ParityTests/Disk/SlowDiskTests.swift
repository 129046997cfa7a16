// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

@testable import Transport

/// Where a disk does not answer, only loads of the session wait that keeps its cookies and responses there. Each test starts a
/// process, and has the kernel hold all calls of that process on files of one folder.
@Suite(.exitTests, .enabled(if: HeldCalls.arePossible && !TestMachine.isSanitized)) struct SlowDiskTests {
  private static let server: @Sendable () throws -> LessonServer = {
    let server = LessonServer(routes: [
      Route("/stored") { request in
        let cookie = HeaderField("Set-Cookie", "c=\(request.head.target.suffix(1)); Path=/; Max-Age=3600")
        return .response(
          Response(fields: [cookie, HeaderField("Cache-Control", "max-age=3600")], body: .bytes(Array("stored".utf8))))
      },
      Route("/ok", script: .response(.text("ok"))), Route("/never", script: [.gate("never")]),
    ])
    try server.start()
    return server
  }

  /// In a process of its own.
  fileprivate static func run(_ face: Face, isWarm: Bool, in folder: String) async throws {
    setenv("XDG_DATA_HOME", folder, 1)
    setenv("XDG_CACHE_HOME", folder, 1)
    let server = try server()
    func request(_ path: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: server.url(path)))) }
    let other = Client(.dataTask)
    let (slow, shared) = (Client(face, base: .default), Client(.dataTask, base: .default))
    #expect(await other.load(try request("/ok")).error == nil)
    if isWarm {
      #expect(await slow.load(try request("/stored?1")).error == nil)
      await withCheckedContinuation { written in URLSession(configuration: .default).flush { written.resume() } }
    }
    let thread = try await ioThread()
    try HeldCalls.park(in: folder)
    let loads = try ["/stored?2", "/stored?3", "/ok"].map { slow.start(try request($0)) }
    try await eventually { HeldCalls.parkedCalls() > 0 }
    #expect(await other.load(try request("/ok")).error == nil)
    var hurried = try request("/never")
    hurried.timeoutInterval = 0.2
    #expect(await (other.load(hurried).error as? URLError)?.code == .timedOut)
    #expect(loads[0].facts.ends == 0 && loads[1].facts.ends == 0)
    HeldCalls.release()
    for load in loads {
      #expect(await load.hasEnded(within: .seconds(TestMachine.patience)))
      #expect(load.facts.error == nil)
    }
    #expect(await shared.load(try request("/stored?2")).body == Array("stored".utf8))
    #expect(HeldCalls.parkedCalls(of: thread) == 0, "calls of the I/O thread on the disk")
    for client in [slow, shared, other] { await client.close() }
    server.stop()
  }

  private static func ioThread() async throws -> Int {
    await withCheckedContinuation { found in
      IOThread.shared.post { found.resume(returning: HeldCalls.thread) }
    }
  }

  @Test(arguments: [Face.connection, .dataTask], [false, true])
  func `where the disk of the shared stores does not answer, other loads end, and time-outs come (DL-24)`(
    face: Face, isWarm: Bool
  ) async throws {
    let folder = try TestDirectory()
    let path = folder.url.path
    await #expect(processExitsWith: .success) {
      [face = face as Face, isWarm = isWarm as Bool, path = path as String] in
      try await SlowDiskTests.run(face, isWarm: isWarm, in: path)
    }
  }

  /// In a process of its own.
  fileprivate static func sendTwice(_ face: Face, in folder: String) async throws {
    setenv("TMPDIR", folder, 1)
    let body = SeededBody(seed: 24).bytes(0..<1_000_000)
    let server = LessonServer(routes: [
      Route("/from", script: .response(Response(307, fields: [HeaderField("Location", "/to")]))),
      Route("/to") { .response(.text("\($0.bodyBytes)")) },
    ])
    try server.start()
    let thread = try await ioThread()
    // They wait no longer, and are counted all the same.
    HeldCalls.release()
    try HeldCalls.park(in: folder)
    var request = URLRequest(url: try #require(URL(string: server.url("/from"))))
    (request.httpMethod, request.httpBodyStream) = ("POST", InputStream(data: Data(body)))
    let client = Client(face)
    #expect(await client.load(request).body == Array("1000000".utf8))
    await client.close()
    #expect(HeldCalls.parkedCalls() > 0)
    #expect(HeldCalls.parkedCalls(of: thread) == 0, "calls of the I/O thread on the disk")
    server.stop()
  }

  @Test(arguments: [Face.connection, .asynchronous])
  func `a streamed body that is sent again is read beside the I/O thread (DL-24)`(face: Face) async throws {
    let folder = try TestDirectory()
    let path = folder.url.path
    await #expect(processExitsWith: .success) { [face = face as Face, path = path as String] in
      try await SlowDiskTests.sendTwice(face, in: path)
    }
  }

  /// In a process of its own.
  fileprivate static func trust(_ face: Face, in folder: String) async throws {
    let authority = try CertificateAuthority()
    try Data(authority.pem.utf8).write(to: URL(fileURLWithPath: folder + "/authorities.pem"))
    setenv("SSL_CERT_FILE", folder + "/authorities.pem", 1)
    let (server, secure) = (try server(), LessonServer(routes: Route.standard, tls: TLSSettings(authority: authority)))
    try secure.start()
    func request(_ url: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: url))) }
    let (other, slow, session) = (Client(.dataTask), Client(face), URLSession(configuration: .ephemeral))
    let thread = try await ioThread()
    try HeldCalls.park(in: folder)
    var hurried = try request(secure.url("/body?size=1KiB"))
    hurried.timeoutInterval = 0.2
    let late = slow.start(try request(secure.url("/body?size=2KiB")))
    #expect(await (slow.load(hurried).error as? URLError)?.code == .timedOut)
    let stream = session.streamTask(withHostName: "localhost", port: Int(secure.port))
    stream.resume()
    stream.startSecureConnection()
    let line = "GET /body?size=3KiB HTTP/1.0\r\nHost: localhost\r\n\r\n"
    async let written: Void = stream.write(Data(line.utf8), timeout: TestMachine.patience)
    try await eventually { HeldCalls.parkedCalls() > 0 }
    #expect(await other.load(try request(server.url("/ok"))).error == nil)
    #expect(late.facts.ends == 0)
    HeldCalls.release()
    #expect(await late.hasEnded(within: .seconds(TestMachine.patience)) && late.facts.body.count == 2048)
    try await written
    let (answer, _) = try await stream.readData(ofMinLength: 3072, maxLength: 1 << 20, timeout: TestMachine.patience)
    #expect(answer?.count ?? 0 > 3072)
    #expect(HeldCalls.parkedCalls(of: thread) == 0, "calls of the I/O thread on the disk")
    session.invalidateAndCancel()
    for client in [slow, other] { await client.close() }
    for server in [server, secure] { server.stop() }
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `where the file of the authorities does not answer, loads without TLS end, and time-outs come (DL-24)`(
    face: Face
  )
    async throws
  {
    let folder = try TestDirectory()
    let path = folder.url.path
    await #expect(processExitsWith: .success) { [face = face as Face, path = path as String] in
      try await SlowDiskTests.trust(face, in: path)
    }
  }
}
