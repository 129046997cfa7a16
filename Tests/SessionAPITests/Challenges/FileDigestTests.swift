// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// AU-05: Digest that protects the body, where the body lies in a file (RFC 7616 section 3.4.3).
@Suite struct FileDigestTests {
  private final class User: NSObject, URLSessionTaskDelegate {
    let asked = Locked(0)

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      asked.withLock { $0 += 1 }
      let credential = URLCredential(user: "lesson", password: "secret", persistence: .forSession)
      completionHandler(challenge.previousFailureCount == 0 ? .useCredential : .performDefaultHandling, credential)
    }
  }

  private static let body = SeededBody(seed: 3).bytes(0..<300_000)

  private static let kinds = ["MD5", "SHA-256", "SHA-256-sess", "SHA-512-256"].map { algorithm in
    var settings = DigestSettings()
    (settings.algorithm, settings.quality, settings.body) = (algorithm, "auth-int", body)
    return settings
  }

  @Test(arguments: kinds.indices)
  func `a server that protects the body gets the hash of an upload's file (AU-05)`(kind: Int) async throws {
    let server = LessonServer(routes: [.digest("/x", Self.kinds[kind])])
    try server.start()
    defer { server.stop() }
    let directory = try TestDirectory()
    let user = User()
    let session = URLSession(configuration: .ephemeral, delegate: user, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: try #require(URL(string: server.url("/x"))))
    request.httpMethod = "PUT"
    func upload(_ name: String, _ bytes: [UInt8]) async throws -> Int? {
      let file = directory.url.appending(path: name)
      try Data(bytes).write(to: file)
      return (try await session.upload(for: request, fromFile: file).1 as? HTTPURLResponse)?.statusCode
    }
    #expect(try await upload("whole", Self.body) == 200)
    #expect(try await upload("again", Self.body) == 200, "what is remembered needs a hash of its own")
    #expect(try await upload("empty", []) == 200)
    #expect(user.asked.withLock { $0 } == 1)
    // Another body than the server's is refused: it does look.
    #expect(try await upload("other", Array(Self.body.dropLast())) == 401)
    let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
    #expect(requests.prefix(4).map(\.status) == [401, 200, 200, 200])
    for request in requests.dropFirst() { #expect(request["Authorization"]?.contains("qop=auth-int") == true) }
  }
}
