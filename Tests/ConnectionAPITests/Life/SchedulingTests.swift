// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Timeline

/// Where callbacks come, and where they do not: A.2. "Nothing comes" is watched for 0.3 s of the loop or mode
/// in question; then the right one runs and everything comes, so that the silence was no accident.
@Suite(.inOrder) struct SchedulingTests {
  private static let silence: TimeInterval = 0.3
  private static let path = "/body?size=200KiB&seed=3"

  @Test func `started at once: held back in another mode, goes on in the default mode (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      #expect(!runLoop(in: .tracking, atMost: Self.silence) { !delegate.calls.isEmpty })
      #expect(runLoop { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.record.withLock { $0.modes } == [RunLoop.Mode.default.rawValue])
  }

  @Test func `scheduled later, a connection started at once stays in the default mode (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      connection?.schedule(in: .current, forMode: .tracking)
      #expect(!runLoop(in: .tracking, atMost: Self.silence) { !delegate.calls.isEmpty })
      #expect(runLoop { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
  }

  @Test func `scheduled in the common modes: goes on while tracking (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    try await onOwnThread {
      addCommonMode(.tracking)
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.schedule(in: .current, forMode: .common)
      connection?.start()
      #expect(runLoop(in: .tracking) { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.record.withLock { $0.modes } == [RunLoop.Mode.tracking.rawValue])
  }

  @Test func `created without starting it is scheduled nowhere and sends nothing (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      #expect(!RunLoop.current.run(mode: .default, before: .distantFuture), "nothing holds the loop")
      #expect(server.log.counts.begun == 0)
      connection?.start()
      #expect(runLoop { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
  }

  @Test func `unschedule takes a place back; one never scheduled is harmless (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.unschedule(from: .current, forMode: .default)
      connection?.schedule(in: .current, forMode: .tracking)
      connection?.unschedule(from: .current, forMode: .tracking)
      connection?.start()
      #expect(!runLoop(in: .tracking, atMost: Self.silence) { !delegate.calls.isEmpty })
      #expect(runLoop { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
  }

  @Test func `a queue set before the start: operations, and no run loop at all (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=3MiB&seed=3")
    let queue = OperationQueue()
    queue.name = "wide"
    queue.maxConcurrentOperationCount = 8
    let delegate = RecordingDelegate()
    let starter = try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.setDelegateQueue(queue)
      connection?.start()
      #expect(delegate.waitForEnd())
      return ThreadNumber.current
    }
    Grammar.expectWhole(delegate)
    let record = delegate.record.withLock { $0 }
    #expect(record.queues == ["wide"])
    #expect(!record.threads.contains(starter))
    #expect(Array(record.body) == SeededBody(seed: 3).bytes(0..<3 << 20))
  }

  @Test func `setDelegateQueue nil takes it back: the starter's loop again (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let delegate = RecordingDelegate()
    let starter = try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.setDelegateQueue(nil)
      connection?.start()
      #expect(runLoop { delegate.isOver })
      return ThreadNumber.current
    }
    #expect(delegate.record.withLock { $0.threads } == [starter])
  }

  @Test func `a queue set after an immediate start: starved in another mode, yet runs on the queue (A.2)`() async throws
  {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=3MiB&seed=3")
    let queue = OperationQueue()
    queue.name = "late"
    let delegate = RecordingDelegate()
    let starter = try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      connection?.setDelegateQueue(queue)
      connection?.start()
      #expect(!runLoop(in: .tracking, atMost: Self.silence) { !delegate.calls.isEmpty })
      #expect(runLoop { delegate.isOver })
      return ThreadNumber.current
    }
    Grammar.expectWhole(delegate)
    let record = delegate.record.withLock { $0 }
    #expect(record.queues == ["late"])
    #expect(!record.threads.contains(starter))
    #expect(Array(record.body) == SeededBody(seed: 3).bytes(0..<3 << 20))
  }

  @Test func `a queue set after an immediate start: every single event waits for the loop (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=3MiB&seed=3")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      connection?.setDelegateQueue(OperationQueue())
      #expect(runLoop { delegate.calls.contains("d") })
      let before = delegate.calls.count
      // One event may have passed the loop before it changed its mode.
      #expect(!runLoop(in: .tracking, atMost: Self.silence) { delegate.calls.count > before + 1 })
      #expect(!delegate.isOver)
      #expect(runLoop { delegate.isOver })
    }
    Grammar.expectWhole(delegate)
  }

  @Test(.serialized, arguments: [true, false])
  func `on a concurrent queue slow calls come one at a time and in order (A.2)`(startsFirst: Bool) async throws {
    let server = try LessonServer.running()
    let request = try server.request("/1k")
    // Long enough for Dispatch to find a thread for the next call, if it were there to run.
    let delegate = RecordingDelegate { if $0.letter == "r" { Thread.sleep(forTimeInterval: 0.5) } }
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: startsFirst)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      #expect(runLoop { delegate.isOver })
      #expect(delegate.waitForEnd())
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.calls == "wrdf")
  }

  @Test func `a queue set after the first callback has no effect (A.2)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let queue = OperationQueue()
    queue.name = "too late"
    let delegate = RecordingDelegate { call in
      if call.letter == "w" { call.connection.setDelegateQueue(queue) }
    }
    let starter = try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.isOver })
      return ThreadNumber.current
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.record.withLock { $0.threads } == [starter])
  }

  @Test func `started in a block on a global queue nothing comes; with a delegate queue everything does (A.2)`()
    async throws
  {
    let server = try LessonServer.running()
    let request = try server.request(Self.path)
    let (silent, heard) = (RecordingDelegate(), RecordingDelegate())
    let over = DispatchSemaphore(value: 0)
    let callsMeanwhile = Locked<String?>(nil)
    DispatchQueue.global().async {
      let connection = NSURLConnection(request: request, delegate: silent)
      let queued = NSURLConnection(request: request, delegate: heard, startImmediately: false)
      queued?.setDelegateQueue(OperationQueue())
      queued?.start()
      // The block keeps its thread: on a thread that it returned to the pool, a block of another test might run the loop.
      _ = heard.waitForEnd()
      _ = silent.ended.wait(timeout: .now() + Self.silence)
      callsMeanwhile.withLock { $0 = silent.calls }
      connection?.cancel()
      over.signal()
    }
    #expect(try await onOwnThread { over.waitPatiently() })
    Grammar.expectWhole(heard)
    #expect(callsMeanwhile.withLock { $0 } == "")
  }
}
