// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import Testing

@Suite struct NSURLConnectionTests {
  @Test func `A.1 a connection that starts at once delivers on the creating thread`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=3MiB&seed=7")
    let delegate = RecordingDelegate()
    let thread = try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      #expect(connection != nil)
      #expect(runLoop { delegate.isOver })
      return ObjectIdentifier(Thread.current)
    }
    Grammar.expectWhole(delegate)
    let record = delegate.record.withLock { $0 }
    #expect(record.threads == [thread])
    #expect(record.modes == ["kCFRunLoopDefaultMode"])
    #expect(Array(record.body) == SeededBody(seed: 7).bytes(0..<3 << 20))
    #expect(record.largestPiece <= 512 << 10)
  }
}
