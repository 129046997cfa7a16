// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// B.5: a task as a Progress, and the properties that are hints.
@Suite struct ProgressTests {
  private static let size: Int64 = 2_000_000
  private static let head = Response(body: .seeded(seed: 3, range: 0..<size)).head
  private static let routes =
    Route.standard + [
      Route(
        "/held",
        script: [
          .bytes(head), .seeded(seed: 3, range: 0..<size / 2), .gate("rest"), .seeded(seed: 3, range: size / 2..<size),
        ]), Route("/stalled", script: [.stall]),
    ]

  @Test func `a progress counts the bytes of the body, and is finished with the task (B.5)`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/held"))
    let progress = task.progress
    #expect(progress === task.progress)
    #expect(progress.isIndeterminate)
    task.resume()
    try await eventually { progress.completedUnitCount == Self.size / 2 }
    #expect(progress.totalUnitCount == Self.size)
    #expect(progress.fractionCompleted == 0.5)
    #expect(!progress.isFinished)
    fixture.server.open(gate: "rest")
    _ = try await fixture.events()
    #expect(progress.isFinished)
    #expect(progress.completedUnitCount == Self.size)
  }

  @Test func `with a handler and with a file the progress moves as well, and moves its parent (B.5)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/held")
    let parent = Progress(totalUnitCount: 2)
    let ends = EventLog<Bool>()
    let tasks: [URLSessionTask] = [
      fixture.session.dataTask(with: url) { ends.append($2 == nil) },
      fixture.session.downloadTask(with: url) { ends.append($2 == nil) },
    ]
    // One after the other, and before anything moves: the toolchain's Progress takes children on one thread at a time.
    for task in tasks { parent.addChild(task.progress, withPendingUnitCount: 1) }
    for task in tasks { task.resume() }
    try await eventually { parent.fractionCompleted == 0.5 }
    fixture.server.open(gate: "rest")
    #expect(try await ends.wait { $0.count == 2 } == [true, true])
    #expect(parent.isFinished)
  }

  @Test func `an upload's progress counts both bodies, and an empty answer finishes it (B.5)`() async throws {
    let fixture = try Fixture(Self.routes)
    let upload = fixture.session.uploadTask(
      with: try fixture.request("/upload", method: "POST"), from: Data(repeating: 1, count: 300_000))
    #expect(upload.progress.totalUnitCount == 300_000)
    upload.resume()
    let empty = fixture.session.dataTask(with: try fixture.request("/status/204"))
    let progress = empty.progress
    empty.resume()
    _ = try await fixture.events(after: 2)
    #expect(upload.progress.isFinished)
    #expect(upload.progress.completedUnitCount == 300_000 + upload.countOfBytesReceived)
    #expect(progress.isFinished)
  }

  @Test func `a length that no count can hold ends no process (B.5, H1-23)`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max)\r\n\r\nhello"
    let fixture = try Fixture([Route("/huge", script: [.text(head), .gate("seen"), .end(.fin)])])
    let upload = fixture.session.uploadTask(
      with: try fixture.request("/huge", method: "POST"), from: Data(repeating: 1, count: 1000))
    let parent = Progress(totalUnitCount: 2)
    parent.addChild(upload.progress, withPendingUnitCount: 1)
    upload.resume()
    try await eventually { upload.progress.totalUnitCount == .max }
    #expect(upload.progress.fractionCompleted < 0.1)
    fixture.server.open(gate: "seen")
    #expect(try await fixture.events().contains(.complete(-1005)))
    #expect(upload.progress.isFinished)
  }

  @Test func `pausing, resuming and cancelling a progress does so to its task (B.5)`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/stalled"))
    let progress = task.progress
    task.resume()
    progress.pause()
    try await eventually { task.state == .suspended }
    progress.resume()
    try await eventually { task.state == .running }
    progress.cancel()
    let events = try await fixture.events()
    #expect(events.contains(.complete(-999)))
    #expect(progress.isFinished)
  }

  @Test func `hints have Apple's defaults and keep what is set (B.5)`() throws {
    let fixture = try Fixture()
    let task = fixture.session.dataTask(with: try fixture.url("/ok"))
    #expect(task.earliestBeginDate == nil)
    #expect((task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive) == (-1, -1))
    #expect(task.priority == URLSessionTask.defaultPriority)
    #expect(task.prefersIncrementalDelivery)
    let date = Date(timeIntervalSinceNow: 1000)
    task.earliestBeginDate = date
    (task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive) = (5, 6)
    #expect(task.earliestBeginDate == date)
    #expect((task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive) == (5, 6))
    let others: [URLSessionTask] = [
      fixture.session.downloadTask(with: try fixture.url("/ok")),
      fixture.session.dataTask(with: try fixture.url("/ok")) { _, _, _ in },
    ]
    #expect(others.allSatisfy { !$0.prefersIncrementalDelivery })
    for task in others + [task] { task.cancel() }
  }

  @Test func `without incremental delivery the body comes in one piece at the end (B.5)`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/held"))
    let progress = task.progress
    task.prefersIncrementalDelivery = false
    task.resume()
    // The bytes that have come count at once.
    try await eventually { task.countOfBytesReceived == Self.size / 2 }
    try await eventually { progress.fractionCompleted == 0.5 }
    fixture.server.open(gate: "rest")
    let events = try await fixture.events()
    #expect(events == [.created, .response(200), .data(Int(Self.size)), .complete(nil), .invalid])
    #expect(task.countOfBytesReceived == Self.size)
  }
}
