// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Locking
import SessionAPI
import Testing

/// B.10: a delegate that does not return holds back its own transfer, not memory and not the others.
@Suite(.serialized) struct BackPressureTests {
  private static let size: Int64 = 200_000_000
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 4, range: 0..<size)))),
    Route("/ok", script: .response(.text("ok"))),
  ]

  @Test func `a blocked queue stops neither the transfer thread nor other sessions, and memory stays bounded (NF-08)`()
    async throws
  {
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Locked(true)
    let received = BodySum()
    let blocked = EventLog<Bool>()
    let fixture = try Fixture(
      Self.routes,
      Reactions(data: { _, data in
        received.add(data)
        let waits = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if waits {
          blocked.append(true)
          gate.wait()
        }
      }))
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    try await blocked.wait { !$0.isEmpty }
    // Another session works all the while.
    for _ in 0..<200 {
      let (data, _) = try await URLSession.shared.data(from: try fixture.url("/ok"))
      #expect(data == Data("ok".utf8))
    }
    // The server is stuck: kernel buffers and 1 MiB of ours hold far less than the body.
    #expect(fixture.server.log.counts.inFlight == 1)
    #expect(fixture.recorder.log.all.dataBytes == 0)
    gate.signal()
    let events = try await fixture.events()
    #expect(events.dataBytes == Int(Self.size))
    #expect(received.value == SeededBody.checksum(seed: 4, size: Self.size))
    let largest = events.map { if case .data(let count) = $0 { count } else { 0 } }.max()
    #expect((largest ?? 0) <= 512 * 1024)
  }
}
