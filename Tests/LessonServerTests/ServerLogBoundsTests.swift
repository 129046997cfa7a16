// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonServer

/// How much of a flood the log keeps.
@Suite struct ServerLogBoundsTests {
  @Test func `beyond its bounds the log only counts`() {
    let log = ServerLog(requestLimit: 3, byteLimit: 200)
    for _ in 0..<5 { _ = log.socketOpened() }
    #expect(log.take().sockets.count == 3)
    for size in [10, 300, 10, 10, 10] {
      let head = "GET /\(String(repeating: "x", count: size)) HTTP/1.1\r\n\r\n"
      log.note(ServerLog.Entry(socket: 1, head: RequestHead(Array(head.utf8))))
    }
    let taken = log.take()
    #expect(taken.requests.count == 3 && taken.requestsNotKept == 2)
  }
}
