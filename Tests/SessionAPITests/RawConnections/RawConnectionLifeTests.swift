// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// How connections that tasks have to themselves live beside others, and how they go.
@Suite struct RawConnectionLifeTests {
  @Test func `WebSockets take none of a host's connections from other tasks (B4)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    let fixture = try SocketFixture(configuration: configuration)
    let tasks = try (0..<10).map { _ in try fixture.task() }
    for task in tasks { try await task.send(.string("x")) }
    for task in tasks { #expect(await task.next() == "x") }
    let url = try #require(URL(string: fixture.server.url("/ok")))
    #expect(try await fixture.session.data(from: url).0 == Data("ok".utf8))
  }

  @Test func `a session lists its WebSockets, and waits for them when it finishes (B1)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    #expect(await fixture.session.allTasks == [task])
    #expect(await fixture.session.tasks.0.isEmpty)
    fixture.session.finishTasksAndInvalidate()
    try await task.send(.string("still here"))
    #expect(await task.next() == "still here")
    task.cancel(with: .goingAway, reason: nil)
    let events = try await fixture.recorder.log.wait { $0.last == .invalid }
    #expect(events.suffix(2) == [.complete(nil), .invalid])
  }

  @Test func `a session that is cancelled ends its WebSockets (B1)`() async throws {
    let fixture = try SocketFixture()
    let tasks = try (0..<5).map { _ in try fixture.task() }
    for task in tasks { try await task.send(.string("x")) }
    fixture.session.invalidateAndCancel()
    let events = try await fixture.recorder.log.wait { $0.last == .invalid }
    #expect(events.count { $0 == .complete(-999) } == 5)
  }

  @Test func `a suspended WebSocket receives nothing until it is resumed (B5)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    try await task.send(.string("a"))
    #expect(await task.next() == "a")
    task.suspend()
    let received = task.countOfBytesReceived
    try await task.send(.string("b"))
    let url = try #require(URL(string: fixture.server.url("/ok")))
    _ = try await fixture.session.data(from: url)
    #expect(task.countOfBytesReceived == received)
    task.resume()
    #expect(await task.next() == "b")
  }

  @Test func `the metrics of a WebSocket tell its handshake (B15)`() async throws {
    let seen = Locked<URLSessionTaskMetrics?>(nil)
    final class Delegate: NSObject, URLSessionTaskDelegate {
      let seen: Locked<URLSessionTaskMetrics?>
      init(_ seen: Locked<URLSessionTaskMetrics?>) { self.seen = seen }
      func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        seen.withLock { $0 = metrics }
      }
    }
    let fixture = try SocketFixture()
    let task = fixture.session.webSocketTask(with: try fixture.url())
    task.delegate = Delegate(seen)
    task.resume()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    task.cancel(with: .normalClosure, reason: nil)
    _ = try await fixture.events()
    let metrics = try #require(seen.withLock { $0?.transactionMetrics.first })
    #expect((metrics.response as? HTTPURLResponse)?.statusCode == 101)
    #expect(metrics.networkProtocolName == "http/1.1" && !metrics.isReusedConnection)
    #expect(metrics.remotePort == Int(fixture.server.port) && metrics.localPort != nil)
    let times = [
      metrics.fetchStartDate, metrics.connectStartDate, metrics.connectEndDate, metrics.requestStartDate,
      metrics.responseStartDate, metrics.responseEndDate,
    ].compactMap { $0 }
    let offsets = times.map { $0.timeIntervalSince(times[0]) }
    #expect(times.count == 6 && offsets == offsets.sorted())
    #expect(metrics.countOfRequestHeaderBytesSent > 100 && metrics.countOfResponseBodyBytesReceived > 100)
  }
}

/// Many of them at once, half of them dropped.
@Suite(.exitTests, .serialized) struct LinkStressTests {
  @Test func `WebSockets and streams that come and go leave nothing behind (LC-06)`() async throws {
    let (http, raw) = (LessonServer(), LessonServer(routes: [], opening: [.echo]))
    try http.start()
    try raw.start()
    let (address, port) = (http.url("/socket"), Int(raw.port))
    // In a process of its own, so that descriptors and memory are its own.
    await #expect(processExitsWith: .success) { [address = address as String, port = port as Int] in
      let url = try #require(URL(string: "ws" + address.dropFirst(4)))
      let session = URLSession(configuration: .ephemeral)
      let count = TestMachine.isSanitized ? 100 : 1000
      try await Self.run(session, url, port, count: count / 4)
      let before = (ProcessUsage.descriptors, ProcessUsage.resident)
      try await Self.run(session, url, port, count: count)
      try await eventually { ProcessUsage.descriptors <= before.0 }
      // A thousand tasks that were left would be more than this.
      if !TestMachine.isSanitized { #expect(ProcessUsage.resident - before.1 < 16 << 20) }
      session.invalidateAndCancel()
      // The check for leaks at the process's end takes what is still being released for lost.
      try await eventually { URLSession.living.withLock { $0.isEmpty } }
    }
    let limit = Duration.seconds(TestMachine.patience)
    #expect(try await onThread { http.log.waitUntilClosed(within: limit) && raw.log.waitUntilClosed(within: limit) })
  }

  private static func run(_ session: URLSession, _ url: URL, _ port: Int, count: Int) async throws {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<count {
        if number >= 32 { #expect(await group.next() == true) }
        group.addTask { await number % 2 == 0 ? socket(session, url, number) : stream(session, port, number) }
      }
      for await isRight in group { #expect(isRight) }
    }
    try await eventually { session.unfinishedTasks.isEmpty }
  }

  /// Every fourth is dropped somewhere on its way; the others say what they heard, and go in order.
  private static func socket(_ session: URLSession, _ url: URL, _ number: Int) async -> Bool {
    let task = session.webSocketTask(with: url)
    task.resume()
    if number % 4 == 0 {
      if number % 8 == 0 { task.send(.data(Data(count: number))) { _ in } }
      task.cancel()
      return await task.next() == "-999"
    }
    let text = "message \(number)"
    guard (try? await task.send(.string(text))) != nil, await task.next() == text else { return false }
    task.cancel(with: .normalClosure, reason: nil)
    return await task.next() == "\(ENOTCONN)"
  }

  private static func stream(_ session: URLSession, _ port: Int, _ number: Int) async -> Bool {
    let task = session.streamTask(withHostName: "127.0.0.1", port: port)
    task.resume()
    if number % 4 == 1 {
      task.cancel()
      return await task.text() == "-999"
    }
    let text = "bytes \(number)"
    guard await task.put(text) == nil, await task.text(text.utf8.count) == text else { return false }
    task.closeWrite()
    return await task.text() == "."
  }
}
