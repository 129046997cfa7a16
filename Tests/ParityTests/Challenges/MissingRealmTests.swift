// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import SessionAPI
import Testing

/// AU-28: challenges of Basic that name no realm.
@Suite struct MissingRealmTests {
  /// A program that knows no realm writes the host, or none.
  @Test(arguments: ChallengeFace.allCases, ["127.0.0.1", nil])
  func `where a server names no realm its host stands for it (AU-28)`(
    face: ChallengeFace, realm: String?
  ) async throws {
    let route = Route("/bare") { request in
      let isKnown = request.head["Authorization"] == "Basic " + Data("lesson:secret".utf8).base64EncodedString()
      return .response(isKnown ? .text("ok") : .unauthorized("Basic"))
    }
    try await LessonServer.serving([route]) { server in
      let storage = face.isConnection ? URLCredentialStorage.shared : URLCredentialStorage()
      let credential = URLCredential(user: "lesson", password: "secret", persistence: .forSession)
      let space = URLProtectionSpace(
        host: "127.0.0.1", port: Int(server.port), protocol: NSURLProtectionSpaceHTTP, realm: realm,
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
      storage.setDefaultCredential(credential, for: space)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = storage
      let client = ChallengeClient(face, configuration: configuration) { _ in .performDefault }
      #expect(await client.load(server.url("/bare")).status == 200)
      #expect(client.seen.withLock { $0.map(\.space.realm) } == ["127.0.0.1"])
      #expect(client.seen.withLock { $0.map { $0.proposed?.user } } == ["lesson"])
      storage.remove(credential, for: space)
    }
  }
}
