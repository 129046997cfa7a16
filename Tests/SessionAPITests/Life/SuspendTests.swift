// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// B.5: suspend and resume.
@Suite struct SuspendTests {
  private static let size: Int64 = 80_000_000
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 4, range: 0..<size)))),
    Route("/other", script: .response(Response(body: .seeded(seed: 5, range: 0..<15_000_000)))),
  ]

  @Test func `a task that was never resumed sends nothing`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    task.suspend()
    task.resume()
    #expect(task.state == .suspended)
    let other: Outcome<Data> = await fixture.session.outcome { handler in
      fixture.session.dataTask(
        with: task.originalRequest ?? URLRequest(url: URL(filePath: "/")), completionHandler: handler)
    }
    #expect(other.value?.count == Int(Self.size))
    #expect(fixture.server.log.counts.begun == 1)
    task.cancel()
    _ = try await fixture.events()
  }

  @Test func `suspending stops the transfer, resuming goes on, and no byte comes twice (NF-09)`() async throws {
    let received = BodySum()
    let pauses = EventLog<Int64>()
    let fixture = try Fixture(
      Self.routes,
      Reactions(data: { task, data in
        received.add(data)
        // Data that was on its way when the task was suspended may still come: what waits here, and what came until the I/O
        // thread heard of it.
        let next = Int64(pauses.all.count + 1) * 10_000_000
        guard task.countOfBytesReceived >= next, pauses.all.count < 5 else { return }
        task.suspend()
        pauses.append(task.countOfBytesReceived)
      }))
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    // One thread at a time carries out what is asked of a task: were this one still in resume(), it would carry out the
    // delegate's next suspend() too, later. On the delegate's queue the two do not meet.
    fixture.session.delegateQueue.addOperation { task.resume() }
    for count in 1...5 {
      try await pauses.wait { $0.count == count }
      #expect(task.state == .suspended)
      // A body as large as half of what is left goes through the same session while the task rests.
      let url = try fixture.url("/other")
      let other: Outcome<Data> = await fixture.session.outcome {
        fixture.session.dataTask(with: url, completionHandler: $0)
      }
      #expect(other.value?.count == 15_000_000)
      #expect(!fixture.recorder.log.all.contains(.complete(nil)))
      #expect(task.countOfBytesReceived - pauses.all[count - 1] <= 4 << 20)
      fixture.session.delegateQueue.addOperation { task.resume() }
    }
    let events = try await fixture.events()
    #expect(events.dataBytes == Int(Self.size))
    #expect(received.value == SeededBody.checksum(seed: 4, size: Self.size))
    #expect(fixture.server.log.snapshot().requests(for: "/seeded").count == 1)
  }

  @Test func `storms of suspend and resume from many threads lose no byte (LC-03)`() async throws {
    let received = BodySum()
    let fixture = try Fixture(Self.routes, Reactions(data: { received.add($1) }))
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    let done = EventLog<Int>()
    for number in 0..<8 {
      Thread.detachNewThread {
        for _ in 0..<500 {
          task.suspend()
          task.resume()
        }
        done.append(number)
      }
    }
    task.resume()
    try await done.wait { $0.count == 8 }
    let events = try await fixture.events()
    #expect(
      events.contains(.complete(nil)), "ended with \(events.filter { if case .complete = $0 { true } else { false } })")
    #expect(events.dataBytes == Int(Self.size))
    #expect(received.value == SeededBody.checksum(seed: 4, size: Self.size))
  }
}
