// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// BG-50 and on: servers that ask who is there, or show a certificate that nobody knows, in the background.
@Suite(.serialized) struct BackgroundChallengeTests {
  typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

  /// A delegate that answers challenges.
  private final class Delegate: NSObject, URLSessionDownloadDelegate {
    let log = EventLog<String>()
    let answer: @Sendable (URLAuthenticationChallenge) -> Answer

    init(_ answer: @escaping @Sendable (URLAuthenticationChallenge) -> Answer) { self.answer = answer }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let method = challenge.protectionSpace.authenticationMethod.dropFirst("NSURLAuthenticationMethod".count)
      let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 0
      log.append("asked \(method) \(challenge.previousFailureCount) \(status)")
      let (disposition, credential) = answer(challenge)
      completionHandler(disposition, credential)
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { log.append("file \((downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0)") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append("complete \((error as? URLError)?.errorCode ?? 0)")
    }
  }

  private static func events(
    _ server: LessonServer = LessonServer(),
    _ answer: @escaping @Sendable (URLAuthenticationChallenge) -> Answer
  ) async throws -> [String] {
    try server.start()
    defer { server.stop() }
    let delegate = Delegate(answer)
    let session = URLSession(
      configuration: .background(withIdentifier: UUID().uuidString), delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    session.downloadTask(with: try #require(URL(string: server.url("/basic")))).resume()
    return try await delegate.log.wait { $0.contains { $0.hasPrefix("complete") } }
  }

  private static func credential(_ password: String) -> URLCredential {
    URLCredential(user: "lesson", password: password, persistence: .forSession)
  }

  @Test func `the delegate gives the password, and is asked again after a wrong one (BG-50)`() async throws {
    let events = try await Self.events { challenge in
      (.useCredential, Self.credential(challenge.previousFailureCount == 0 ? "wrong" : "secret"))
    }
    #expect(events == ["asked HTTPBasic 0 401", "asked HTTPBasic 1 401", "file 200", "complete 0"])
  }

  @Test func `by default the 401 is the response, and a cancel is the task's end (BG-50)`() async throws {
    let byDefault = try await Self.events { _ in (.performDefaultHandling, nil) }
    #expect(byDefault == ["asked HTTPBasic 0 401", "file 401", "complete 0"])
    let cancelled = try await Self.events { _ in (.cancelAuthenticationChallenge, nil) }
    #expect(cancelled == ["asked HTTPBasic 0 401", "complete -999"])
  }

  @Test func `the delegate judges a server's certificate (BG-51)`() async throws {
    let settings = TLSSettings(leaf: .selfSigned, authority: try CertificateAuthority())
    let accepted = try await Self.events(LessonServer(tls: settings)) { challenge in
      guard let trust = challenge.protectionSpace.serverTrust else {
        return (.useCredential, Self.credential("secret"))
      }
      return (.useCredential, URLCredential(trust: trust))
    }
    #expect(accepted == ["asked ServerTrust 0 0", "asked HTTPBasic 0 401", "file 200", "complete 0"])
    let left = try await Self.events(LessonServer(tls: settings)) { _ in (.performDefaultHandling, nil) }
    #expect(left == ["asked ServerTrust 0 0", "complete -1202"])
    let other = try await Self.events(LessonServer(tls: settings)) { _ in (.useCredential, Self.credential("secret")) }
    #expect(other == ["asked ServerTrust 0 0", "complete -1202"])
  }

  @Test func `while there is no program the 401 is the response (BG-52)`() async throws {
    let late = Route("/late", script: [.gate("rest"), .response(.unauthorized("Basic realm=\"a\""))])
    let server = LessonServer(routes: [late])
    try server.start()
    let place = try BackgroundPlace(variables: ["BACKGROUND_PASSWORD": "secret"])
    let url = try #require(URL(string: server.url("/late")))
    let first = try ProgramRun(place, urls: [url])
    #expect(try await onThread { server.log.waitForRequests(1, within: .seconds(TestMachine.patience)) })
    try await first.kill()
    server.open(gate: "rest")
    try await place.agentEnds()
    let lines = try await ProgramRun(place, urls: [url]).ended()
    #expect(lines.contains("file 0"))
    #expect(!lines.contains { $0.hasPrefix("asked") })
  }

  @Test func `a task whose challenge was answered waits for a program when an agent meets it anew (BG-53)`()
    async throws
  {
    let guarded = Route("/file") { request in
      guard request.head["Authorization"] != nil else { return .response(.unauthorized("Basic realm=\"a\"")) }
      return PartRoutes.held(request)
    }
    let server = LessonServer(routes: [guarded])
    try server.start()
    let place = try BackgroundPlace(variables: ["BACKGROUND_PASSWORD": "secret"])
    let url = try #require(URL(string: server.url("/file")))
    let first = try ProgramRun(place, urls: [url])
    _ = try await first.lines.wait { $0.contains { $0.hasPrefix("written") } }
    try await first.kill()
    try await place.killAgent()
    server.open(gate: "rest")
    let lines = try await ProgramRun(place, urls: [url]).ended()
    #expect(lines.contains("asked 0 0"))
    #expect(place.sum(of: "0") == PartRoutes.checksum)
    let journal = try? String(
      contentsOf: place.places.folder(of: "test").appending(path: Journal.name), encoding: .utf8)
    #expect(journal?.contains("secret") != true)
    try await place.agentEnds()
  }
}
