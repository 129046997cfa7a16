// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import LessonServer
import Testing

@testable import SessionAPI
@testable import URLLoading

/// NF-11: a wall clock that jumps. (That time-outs count on another clock: TransportTests/MonotonicClockTests.)
@Suite struct ClockTests {
  /// A stored response counts by the wall clock. That cannot be set here; an entry that was stored so much earlier or later is
  /// what a jump leaves behind.
  @Test(arguments: [(0, false), (86_400, true), (-86_400, true)])
  func `after a jump of a day what is stored is asked about, and served when it is confirmed (NF-11)`(
    jump: Int64, isAsked: Bool
  ) async throws {
    let fields = [HeaderField("Cache-Control", "max-age=3600"), HeaderField("ETag", "\"v1\"")]
    let route = Route("/x") { request in
      let isKnown = request.head["If-None-Match"] == "\"v1\""
      return .response(Response(isKnown ? 304 : 200, fields: fields, body: isKnown ? .none : .bytes(Array("x".utf8))))
    }
    let configuration = URLSessionConfiguration.ephemeral
    let fixture = try Fixture([route], configuration: configuration)
    let (url, cache) = (try fixture.url("/x"), try #require(configuration.urlCache))
    _ = try await fixture.session.data(from: url)

    let stored = try #require(cache.cachedResponse(for: URLRequest(url: url)))
    var head = try #require((stored as? KeptResponse)?.head)
    head.provenance?.requested -= jump
    head.provenance?.received -= jump
    cache.storeCachedResponse(
      KeptResponse(head, stored.response, stored.data, nil), for: URLRequest(url: url))

    let (data, response) = try await fixture.session.data(from: url)
    #expect(data == Data("x".utf8) && (response as? HTTPURLResponse)?.statusCode == 200)
    let conditions = fixture.server.log.snapshot().requests.map { $0["If-None-Match"] }
    #expect(conditions == (isAsked ? [nil, "\"v1\""] : [nil]))
  }
}
