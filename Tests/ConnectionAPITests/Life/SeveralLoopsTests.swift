// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Timeline

/// Connections on the loops of other threads, and on several: A.2.
@Suite(.inOrder) struct SeveralLoopsTests {
  private static let silence: TimeInterval = 0.3
  private static let path = "/body?size=200KiB&seed=3"

  @Test func `scheduled on another thread's sleeping loop it wakes that loop at once (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    let (ready, kept) = (DispatchSemaphore(value: 0), Locked<Carried<RunLoop>?>(nil))
    let elapsed = Locked<TimeInterval>(0)
    let worker = Locked(0)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let keeper = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      RunLoop.current.add(keeper, forMode: .default)
      let loop = Carried(value: RunLoop.current)
      kept.withLock { $0 = loop }
      worker.withLock { $0 = ThreadNumber.current }
      ready.signal()
      let began = Date()
      // A loop that is not woken sleeps until then.
      let limit = began + TestMachine.patience
      while !delegate.isOver, Date() < limit { _ = RunLoop.current.run(mode: .default, before: limit) }
      elapsed.withLock { $0 = Date().timeIntervalSince(began) }
      ended.signal()
    }
    try await onOwnThread {
      ready.wait()
      Thread.sleep(forTimeInterval: 0.05)  // lets the worker fall asleep; if it is late the test is only easier
      let loop = kept.withLock { $0 }
      guard let loop else { return }
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.schedule(in: loop.value, forMode: .default)
      connection?.start()
      ended.wait()
    }
    Grammar.expectWhole(delegate)
    #expect(elapsed.withLock { $0 } < TestMachine.patience)
    #expect(delegate.record.withLock { $0.threads } == [worker.withLock { $0 }])
  }

  @Test func `on another thread's loop the mode counts, too (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let worker = LoopThread(.default)
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.schedule(in: worker.loop.value, forMode: .tracking)
      connection?.start()
      #expect(delegate.ended.wait(timeout: .now() + Self.silence) == .timedOut)
      #expect(delegate.calls == "")
      worker.run(in: .tracking)
      #expect(delegate.waitForEnd())
      worker.stop()
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.record.withLock { $0.modes } == [RunLoop.Mode.tracking.rawValue])
  }

  @Test func `scheduled on three loops each callback comes once, and never two at a time (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=8MiB&seed=3&rate=40MiB")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let workers = [LoopThread(.default), LoopThread(.default), LoopThread(.default)]
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      for worker in workers { connection?.schedule(in: worker.loop.value, forMode: .default) }
      connection?.start()
      #expect(delegate.waitForEnd())
      for worker in workers { worker.stop() }
    }
    Grammar.expectWhole(delegate)
    #expect(Array(delegate.record.withLock { $0.body }) == SeededBody(seed: 3).bytes(0..<8 << 20))
  }

  @Test func `in two modes of one loop, callbacks come in either (A.2)`() async throws {
    let server = try LessonServer.running([
      Route(
        "/two",
        script: [
          .text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .gate("second"), .text("cd"),
        ])
    ])
    let request = try server.request("/two")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.schedule(in: .current, forMode: .default)
      connection?.schedule(in: .current, forMode: .tracking)
      connection?.start()
      #expect(runLoop { delegate.calls.contains("d") })
      server.open(gate: "second")
      #expect(runLoop(in: .tracking) { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.record.withLock { $0.modes } == [RunLoop.Mode.default.rawValue, RunLoop.Mode.tracking.rawValue])
  }

  @Test func `a loop that holds a connection stays alive and is let go at the end (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/wait?seconds=0.3")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()  // ends by itself only when the mode is empty
      #expect(delegate.isOver)
    }
    Grammar.expectWhole(delegate)
  }

  @Test func `a second loop that waits for the connection is let go, too (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/wait?seconds=0.2")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let idle = DispatchSemaphore(value: 0)
      let scheduled = DispatchSemaphore(value: 0)
      let kept = Locked<NSURLConnection?>(nil)
      Thread.detachNewThread {
        let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
        connection?.schedule(in: .current, forMode: .tracking)
        kept.withLock { $0 = connection }
        scheduled.signal()
        while RunLoop.current.run(mode: .tracking, before: .distantFuture), !delegate.isOver {}
        idle.signal()
      }
      scheduled.wait()
      let connection = kept.withLock { $0.take() }
      connection?.schedule(in: .current, forMode: .default)
      connection?.start()
      #expect(runLoop { delegate.isOver })
      #expect(idle.wait(timeout: .now() + 90) == .success)
    }
    Grammar.expectWhole(delegate)
  }

  @Test func `the loop of the starting thread counts, not that of the creating one (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    let connection = try await onOwnThread {
      NSURLConnection(request: request, delegate: delegate, startImmediately: false)
    }
    let starter = try await onOwnThread {
      connection?.start()
      #expect(runLoop { delegate.isOver })
      return ThreadNumber.current
    }
    #expect(delegate.record.withLock { $0.threads } == [starter])
  }
}
