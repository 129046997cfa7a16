// SPDX-License-Identifier: Apache-2.0
import LessonServer
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// CE-05: a small body that grows to a large one.
@Suite struct BombTests {
  private static func bomb(periods: Int) -> Script {
    let head = Response(fields: [HeaderField("Content-Encoding", "gzip")], framing: .untilClose).head
    return Script([.bytes(head)] + StoredCoding.zeros(periods: periods) + [.end(.fin)])
  }

  private static let routes = [
    Route("/large", script: bomb(periods: 101_610)), Route("/ok", script: .response(.text("ok"))),
  ]

  @Test(arguments: [Face.asynchronous, .handlerTask])
  func `1.3 MB that grow to 200 MiB are refused where they are collected, with -1103 (CE-05)`(face: Face) async throws {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    let client = Client(face)
    for (path, code) in [("/large", URLError.Code.dataLengthExceedsMaximum), ("/ok", nil)] {
      let facts = await client.load(URLRequest(url: try #require(URL(string: server.url(path)))))
      #expect((facts.error as? URLError)?.code == code)
      #expect(facts.body.count == (code == nil ? 2 : 0))
    }
    await client.close()
  }
}
