// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import Testing

/// Who keeps whom alive: A.3.
@Suite(.inOrder) struct ConnectionLifetimeTests {
  /// Remembers a delegate and a connection without keeping them.
  private final class ProgramObserver: @unchecked Sendable {
    // Sendable: set once on one thread, then only read; weak references are atomic.
    weak var delegate: RecordingDelegate?
    weak var connection: NSURLConnection?
  }

  @Test func `delegate and connection live until the end though nobody else holds them, then go (A.3)`() async throws {
    let server = try LessonServer.running([Route("/gated", script: [.gate("go"), .response(.text("ok"))])])
    let request = try server.request("/gated")
    let isOver = Flag()
    try await onOwnThread {
      let witness = ProgramObserver()
      func begin() {
        let delegate = RecordingDelegate { if $0.letter == "f" { isOver.set() } }
        let connection = NSURLConnection(request: request, delegate: delegate)
        (witness.delegate, witness.connection) = (delegate, connection)
      }
      begin()
      #expect(runLoop { server.log.counts.begun == 1 })
      #expect(witness.delegate != nil)
      #expect(witness.connection != nil)
      server.open(gate: "go")
      #expect(runLoop { isOver.isSet })
      #expect(runLoop { witness.delegate == nil && witness.connection == nil })
    }
  }

  @Test func `after a failure the delegate is released, though the connection is held (A.3)`() async throws {
    let server = try LessonServer.running([Route("/nothing", script: [.end(.fin)])])
    let request = try server.request("/nothing")
    let isOver = Flag()
    try await onOwnThread {
      let witness = ProgramObserver()
      func begin() -> NSURLConnection? {
        let delegate = RecordingDelegate { if $0.letter == "e" { isOver.set() } }
        witness.delegate = delegate
        return NSURLConnection(request: request, delegate: delegate)
      }
      let connection = begin()
      #expect(runLoop { isOver.isSet })
      #expect(runLoop { witness.delegate == nil })
      #expect(connection?.currentRequest.url?.path == "/nothing")
    }
  }

  @Test func `a cancel releases the delegate (A.3)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/never")
    try await onOwnThread {
      let witness = ProgramObserver()
      func begin() -> NSURLConnection? {
        let delegate = RecordingDelegate()
        witness.delegate = delegate
        return NSURLConnection(request: request, delegate: delegate)
      }
      let connection = begin()
      #expect(runLoop { server.log.counts.begun == 1 })
      #expect(witness.delegate != nil)
      connection?.cancel()
      #expect(witness.delegate == nil)
    }
  }

  @Test func `one never started goes with its last reference, and so does its delegate (A.3)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    try await onOwnThread {
      let witness = ProgramObserver()
      func create() {
        let delegate = RecordingDelegate()
        let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
        connection?.schedule(in: .current, forMode: .default)
        (witness.delegate, witness.connection) = (delegate, connection)
      }
      create()
      #expect(witness.connection == nil)
      #expect(witness.delegate == nil)
      #expect(!RunLoop.current.run(mode: .default, before: .distantFuture), "the loop is held")
    }
  }

  @Test func `a thread that ends takes its calls along: no time-out is told, and the delegate stays (A.2, A.3)`()
    async throws
  {
    let server = try LessonServer.running()
    var request = try server.request("/never")
    request.timeoutInterval = 0.3
    let witness = ProgramObserver()
    let connection = try await onOwnThread { [request] in
      let delegate = RecordingDelegate()
      witness.delegate = delegate
      return NSURLConnection(request: request, delegate: delegate)
    }
    // Silence is what is tested: more than the time-out.
    try await Task.sleep(for: .seconds(1))
    #expect(witness.delegate?.calls == "")
    connection?.cancel()
    #expect(witness.delegate == nil)
  }

  @Test func `an object loads once (A.3)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate)
      connection?.start()
      #expect(runLoop { delegate.isOver })
      connection?.start()
      #expect(!RunLoop.current.run(mode: .default, before: .distantFuture), "the loop is held")
    }
    #expect(delegate.course == "wrdf")
    #expect(server.log.counts.begun == 1)
  }

  @Test func `without a delegate the load runs and reports nothing (A.3)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=3MiB")
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: nil)
      RunLoop.current.run()  // ends with the load
    }
    let log = server.log.settled(within: .seconds(90))
    #expect(log.requests.count == 1)
    #expect(log.requests.first?.bytesSent ?? 0 > 3 << 20)
  }

  @Test func `a delegate with the failure method alone hears of failures, and of nothing else (A.6)`() async throws {
    final class FailureDelegate: NSObject, NSURLConnectionDelegate, @unchecked Sendable {
      let failures = Locked(0)  // the only state
      func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        failures.withLock { $0 += 1 }
      }
    }
    let server = try LessonServer.running([Route("/nothing", script: [.end(.fin)])])
    let requests = [try server.request("/redirect/302?to=/body"), try server.request("/nothing")]
    let delegate = FailureDelegate()
    try await onOwnThread {
      for request in requests { _ = NSURLConnection(request: request, delegate: delegate) }
      RunLoop.current.run()
    }
    #expect(delegate.failures.withLock { $0 } == 1)
    #expect(server.log.settled(within: .seconds(90)).requests(for: "/body").count == 1)
  }

  @Test func `a delegate that leaves every method out harms nothing (L1)`() async throws {
    final class Silent: NSObject, NSURLConnectionDataDelegate {}
    let server = try LessonServer.running()
    let request = try server.request("/redirect/302?to=/body")
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: Silent())
      RunLoop.current.run()
    }
    #expect(server.log.settled(within: .seconds(90)).requests.map(\.status) == [302, 200])
  }

  @Test func `a request without a URL makes no connection (A.1)`() throws {
    var request = URLRequest(url: URL(filePath: "/"))
    request.url = nil
    #expect(NSURLConnection(request: request, delegate: nil) == nil)
    #expect(NSURLConnection(request: request, delegate: nil, startImmediately: false) == nil)
    #expect(!NSURLConnection.canHandle(request))
  }

  @Test func `a delegate that blocks pauses the load, and memory stays bounded (A.10)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=64MiB")
    let entered = DispatchSemaphore(value: 0)
    let mayContinue = DispatchSemaphore(value: 0)
    let delegate = RecordingDelegate(keepsBody: false) { call in
      guard call.letter == "r" else { return }
      entered.signal()
      mayContinue.wait()
    }
    try await onOwnThread {
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      entered.wait()
      // Time for the server to send more than it may while nobody takes anything, which no event would tell.
      Thread.sleep(forTimeInterval: 0.3)
      #expect(server.log.counts.inFlight == 1, "the whole body left the server while nobody took it")
      mayContinue.signal()
      #expect(delegate.waitForEnd())
    }
    Grammar.expectWhole(delegate)
  }
}
