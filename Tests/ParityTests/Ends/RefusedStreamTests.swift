// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import ServerParts
import SessionAPI
import Testing

@testable import Transport

/// A request that a server refuses before it has worked on it goes out again, whatever its method (RFC 9113 section 8.7).
@Suite struct RefusedStreamTests {
  private static let refused: UInt32 = 7

  @Test(arguments: ClientKind.streaming, ["GET", "POST of 10", "POST of 300000", "POST of a stream"])
  func `a refused request is sent once more, on a new connection and on a used one (RFC 9113, 8.7)`(
    kind: ClientKind, form: String
  ) async throws {
    for isUsed in [false, true] {
      let own = Route("/own", answer: .sequence([[.resetStream(Self.refused)], .response(.text("answer"))]))
      let server = try TestAuthority.server(.trusted, routes: Route.standard + [own])
      let client = kind.makeClient()
      if isUsed { #expect(try await client.start(server.url("/ok", host: "localhost")).ending().isSuccess) }
      let load = try client.start(server.url("/own", host: "localhost")) { request in
        guard form != "GET" else { return }
        request.httpMethod = "POST"
        let body = Data(repeating: 7, count: form.split(separator: " ").last.flatMap { Int($0) } ?? 100_000)
        if form.hasSuffix("stream") {
          request.httpBodyStream = InputStream(data: body)
        } else {
          request.httpBody = body
        }
      }
      let end = await load.ending()
      // Of a used connection 7.88.1 does not say which error a stream was reset with.
      let mayFail = isUsed && form != "GET" && !CurlFacts.current.tellsResets
      // A session keeps no copy of a stream, and its delegate gives no other.
      let isSpent = form.hasSuffix("stream") && kind != .connection && end.code == -1021
      if !(end.isSuccess && end.body == Array("answer".utf8)), !isSpent, !(mayFail && end.code == -1005) {
        let reason = load.facts.error?.localizedDescription ?? ""
        Issue.record("\(kind.rawValue), \(form), \(isUsed ? "used" : "new"): ended with \(end) \(reason)")
      }
      await client.close()
      server.stop()
    }
  }
}
