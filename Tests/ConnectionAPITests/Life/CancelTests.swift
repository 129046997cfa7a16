// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// Api-facts A.5.
@Suite(.inOrder) struct CancelTests {
  @Test(arguments: ["w", "r", "d"])
  func `from within a call on the run loop nothing more comes (A.5)`(letter: Character) async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=4MiB&seed=2")
    let delegate = RecordingDelegate { if $0.letter == letter { $0.connection.cancel() } }
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()  // returns because the connection has let go
    }
    #expect(delegate.calls.last == letter)
    #expect(delegate.calls.count { $0 == letter } == 1)
    Grammar.expectBegun(delegate)
  }

  @Test(arguments: ["w", "r", "d"])
  func `from within a call on the queue nothing more comes (A.5)`(letter: Character) async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=4MiB&seed=2")
    let queue = OperationQueue()
    let cancelled = DispatchSemaphore(value: 0)
    let delegate = RecordingDelegate {
      guard $0.letter == letter else { return }
      $0.connection.cancel()
      cancelled.signal()
    }
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.setDelegateQueue(queue)
      connection?.start()
      #expect(cancelled.waitPatiently())
      #expect(delegate.ended.wait(timeout: .now() + 0.3) == .timedOut)
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(delegate.calls.last == letter)
    #expect(delegate.calls.count { $0 == letter } == 1)
    Grammar.expectBegun(delegate)
  }

  @Test func `in the call about a redirect, whatever it returns, the load stops (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/redirect/302?to=/1k")
    let delegate = RecordingDelegate { if $0.redirect != nil { $0.connection.cancel() } }
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    #expect(delegate.calls == "ww")
    #expect(server.log.settled(within: .seconds(90)).requests(for: "/1k").isEmpty)
  }

  @Test func `from within the last call it is too late and harmless (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    let delegate = RecordingDelegate { if $0.letter == "f" { $0.connection.cancel() } }
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    Grammar.expectWhole(delegate)
    #expect(delegate.course == "wrdf")
  }

  @Test func `from within the second of three responses nothing more comes (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/parts?parts=3&size=10")
    let responses = Locked(0)
    let delegate = RecordingDelegate { call in
      guard call.letter == "r",
        responses.withLock({
          $0 += 1
          return $0
        }) == 2
      else { return }
      call.connection.cancel()
    }
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    #expect(delegate.calls == "wrdr")
    Grammar.expectBegun(delegate)
  }

  @Test func `before the start: the object is dead and sends nothing (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.schedule(in: .current, forMode: .default)
      connection?.cancel()
      connection?.start()
      #expect(!RunLoop.current.run(mode: .default, before: .distantFuture), "nothing holds the loop")
    }
    #expect(delegate.calls == "")
    #expect(server.log.counts.begun == 0)
  }

  @Test func `on the scheduled thread, with calls waiting, none of them comes (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=4MiB&seed=2")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.calls.contains("d") })
      Thread.sleep(forTimeInterval: 0.05)  // the loop does not run, so calls wait
      let before = delegate.calls
      connection?.cancel()
      RunLoop.current.run()
      #expect(delegate.calls == before)
    }
    Grammar.expectBegun(delegate)
  }

  @Test func `with an event on its way from the loop to the queue, it does not come (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let gate = DispatchSemaphore(value: 0)
      queue.addOperation { gate.wait() }
      let connection = NSURLConnection(request: request, delegate: delegate)
      connection?.setDelegateQueue(queue)
      #expect(runLoop { queue.operationCount == 2 })
      connection?.cancel()
      gate.signal()
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(delegate.calls == "")
  }

  @Test func `from another thread at most the call under way finishes, and its loop is let go (A.5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/never")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      Thread.detachNewThread {
        server.log.waitForRequests(1, within: .seconds(90))
        connection?.cancel()
      }
      // It returns once nothing is scheduled on the loop any more; otherwise never.
      RunLoop.current.run()
    }
    #expect(delegate.calls == "w")
    #expect(server.log.waitUntilClosed(within: .seconds(90)), "the transfer was not ended")
  }
}
