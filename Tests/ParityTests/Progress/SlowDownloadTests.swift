// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Both APIs report the progress of a download whose body takes long to fill a piece of 512 KiB (A.7b, B.9).
@Suite(.exitTests) struct SlowDownloadTests {
  private static let faces = [Face.connection, .downloadTask]
  private static let gates = 10
  private static let step: Int64 = 1000

  /// A body in pieces, each behind a gate that is named after the bytes before it.
  private static func gated(_ path: String, size: Int64, step: Int64) -> Route {
    let pieces: [[Step]] = stride(from: 0, to: size, by: Int(step)).map { start in
      [.gate("\(start)"), .seeded(seed: 5, range: start..<min(start + step, size))]
    }
    let head = Response(body: .seeded(seed: 5, range: 0..<size)).head
    return Route(path, script: Script([.bytes(head)] + pieces.flatMap(\.self)))
  }

  private func load(
    _ face: Face, _ routes: [Route], _ whenReported: @escaping @Sendable (Int64, WatchedLoad, LessonServer) -> Void
  ) async throws -> WatchedLoad {
    let server = LessonServer(routes: routes)
    try server.start()
    defer { server.stop() }
    server.open(gate: "0")
    let load = WatchedLoad { whenReported($0, $1, server) }
    load.download(face, URLRequest(url: try #require(URL(string: server.url("/slow")))))
    #expect(await load.observation.hasEnded(within: .seconds(TestMachine.patience)))
    return load
  }

  /// Without a report the gate would stay shut, and the load would not end.
  @Test(arguments: faces) func `a small body is told as it comes, while the server waits`(face: Face) async throws {
    let size = Self.step * Int64(Self.gates)
    let route = Self.gated("/slow", size: size, step: Self.step)
    let load = try await load(face, [route]) { total, _, server in server.open(gate: "\(total)") }
    #expect(load.observation.facts.error == nil)
    #expect(load.totals == (1...Int64(Self.gates)).map { $0 * Self.step })
    #expect(BodyChecksum(of: load.observation.facts.body).value == SeededBody.checksum(seed: 5, size: size))
  }

  @Test(arguments: faces) func `a stalled download has told all that had come`(face: Face) async throws {
    let head = Response(body: .seeded(seed: 5, range: 0..<2_000_000)).head
    let stalled = Route("/slow", script: [.bytes(head), .seeded(seed: 5, range: 0..<700_000), .stall])
    let server = LessonServer(routes: [stalled])
    try server.start()
    let load = WatchedLoad()
    load.download(face, URLRequest(url: try #require(URL(string: server.url("/slow")))))
    try await eventually { load.totals.last == 700_000 }
    load.cancel()
    #expect(load.observation.facts.ends == 0 || face == .downloadTask)
  }

  /// It never falls silent for 10 ms, so this is about the limit of 50 ms. A piece would be full after 17 minutes.
  @Test(arguments: faces) func `a trickle is told in between`(face: Face) async throws {
    let head = Step.text("HTTP/1.1 200 OK\r\n\r\n")
    let trickle = Script([head, .repeated([7], times: nil)]).paced(.drip(bytes: 1, pause: .milliseconds(2)))
    let server = LessonServer(routes: [Route("/slow", script: trickle)])
    try server.start()
    let load = WatchedLoad()
    load.download(face, URLRequest(url: try #require(URL(string: server.url("/slow")))))
    try await eventually { load.totals.count >= 3 }
    load.cancel()
    #expect(load.totals == load.totals.sorted())
  }

  /// In a process of its own, where no other test keeps the thread of all transfers or the disk's queue busy; and the
  /// quickest of ten counts, for a busy machine may hold up any of them.
  @Test(.enabled(if: TestMachine.keepsTime), arguments: faces)
  func `a report comes within 100 ms of the bytes`(face: Face) async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [face = face as Face] in
      let quickest = try await SlowDownloadTests().quickestReport(face)
      guard quickest > .milliseconds(100) else { return }
      FileHandle.standardError.write(Data("\(quickest)".utf8))
    }
    #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
  }

  private func quickestReport(_ face: Face) async throws -> Duration {
    let opened = Locked(ContinuousClock.now)
    let times = Locked<[Duration]>([])
    let route = Self.gated("/slow", size: Self.step * Int64(Self.gates), step: Self.step)
    _ = try await load(face, [route]) { total, _, server in
      let last = opened.withLock { $0 }
      times.withLock { $0.append(.now - last) }
      opened.withLock { $0 = .now }
      server.open(gate: "\(total)")
    }
    return try #require(times.withLock { $0 }.dropFirst().min())
  }

  @Test func `a download task's counts are up to date when its delegate hears of them (B.5)`() async throws {
    let counts = Locked<[Int64]>([])
    let route = Self.gated("/slow", size: 3 * Self.step, step: Self.step)
    _ = try await load(.downloadTask, [route]) { total, load, server in
      let task = load.task
      counts.withLock { $0 += [task?.countOfBytesReceived ?? -1, task?.progress.completedUnitCount ?? -1] }
      server.open(gate: "\(total)")
    }
    #expect(counts.withLock { $0 } == [1000, 1000, 2000, 2000, 3000, 3000])
  }
}
