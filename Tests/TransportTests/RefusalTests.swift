// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import TestSupport
import Testing
import Transport

@testable import HTTPRules

/// A server that answers before it has read the whole request, and then resets (RFC 9112 section 9.6).
@Suite struct RefusalTests {
  private static func refusing(_ response: Response) -> Route {
    Route("/x", answer: .early { _ in Script([.response(response), .end(.rst)], readsBodyFirst: false) })
  }

  /// Uploads 8 MiB, pausing at the head if `pauses`.
  private func upload(
    to response: Response, pauses: Bool = false, method: String = "POST"
  ) async throws -> TransferProbe.Record {
    try await onThread {
      let server = LessonServer(routes: [Self.refusing(response)])
      try server.start()
      defer { server.stop() }
      let transport = Transport()
      let paused = DispatchSemaphore(value: 0)
      let probe = TransferProbe(headFlow: {
        paused.signal()
        return pauses ? .pause : .proceed
      })
      var request = TransferRequest(url: server.url("/x"), method: method)
      request.body = .bytes(Data(repeating: 7, count: 8 << 20))
      request.decodesContent = true
      let transfer = transport.start(request, consumer: probe)
      if pauses {
        #expect(paused.waitPatiently())
        transfer.resume()
      }
      #expect(probe.waitForEnd())
      return probe.record.withLock { $0 }
    }
  }

  @Test(arguments: 0..<10, [false, true])
  func `the answer is delivered where it lies in the socket`(run: Int, pauses: Bool) async throws {
    let size = run * 3000
    let answer = Response(413, body: .seeded(seed: 1, range: 0..<Int64(size)))
    let record = try await upload(to: answer, pauses: pauses)
    #expect(record.failure == nil, "\(String(describing: record.failure))")
    #expect(record.head?.status == 413 && record.body == SeededBody(seed: 1).bytes(0..<Int64(size)))
    #expect(record.ends == 1 && record.afterEnd == 0)
  }

  @Test(arguments: [false, true]) func `a coded answer is decoded`(pauses: Bool) async throws {
    let text = Array(String(repeating: "too large ", count: 4000).utf8)
    let answer = Response(
      403, fields: [HeaderField("Content-Encoding", "gzip")], body: .bytes(StoredCoding.gzip(text)))
    let record = try await upload(to: answer, pauses: pauses, method: "PUT")
    #expect(record.failure == nil && record.head?.status == 403 && record.body == text)
  }

  @Test func `a success that is followed by a reset is none`() async throws {
    let record = try await upload(to: Response(200, body: .bytes([1, 2])))
    #expect(record.failure?.cause == .connectionLost)
  }
}
