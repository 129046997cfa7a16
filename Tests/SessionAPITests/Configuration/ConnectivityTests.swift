// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI
@testable import URLLoading

/// B.9: tasks that wait for a network. Linux refuses a TCP connection to a broadcast address, also to the loopback's, as
/// it does without a network (ENETUNREACH), and sends nothing.
@Suite(.serialized) struct ConnectivityTests {
  private static let nowhere = "http://127.255.255.255:9/"

  private final class Waiter: NSObject, URLSessionTaskDelegate {
    let log = EventLog<String>()

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) { log.append("waits") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append("\((error as? URLError)?.errorCode ?? 0)")
    }
  }

  private func start(
    _ waiter: Waiter, waits: Bool, resourceTimeout: Double = 60
  ) throws -> (URLSession, URLSessionTask) {
    let configuration = URLSessionConfiguration.ephemeral
    #expect(!configuration.waitsForConnectivity)
    configuration.waitsForConnectivity = waits
    configuration.timeoutIntervalForResource = resourceTimeout
    let session = URLSession(configuration: configuration, delegate: waiter, delegateQueue: nil)
    let task = session.dataTask(with: try #require(URL(string: Self.nowhere)))
    task.resume()
    session.finishTasksAndInvalidate()
    return (session, task)
  }

  @Test func `without a network a task ends with -1009`() async throws {
    let waiter = Waiter()
    _ = try start(waiter, waits: false)
    #expect(try await waiter.log.wait { !$0.isEmpty } == ["-1009"])
  }

  @Test func `a task that waits says so once, however often the network changes, and can be cancelled (B.9)`()
    async throws
  {
    let waiter = Waiter()
    let (_, task) = try start(waiter, waits: true)
    try await waiter.log.wait { $0 == ["waits"] }
    for _ in 0..<5 { NetworkChanges.shared.changed() }
    #expect(task.state == .running)
    task.cancel()
    #expect(try await waiter.log.wait { $0.count == 2 } == ["waits", "-999"])
  }

  /// A busy machine may use the time up before the first attempt has failed; then a task with more time is asked.
  @Test func `the resource's time runs while a task waits (B.4)`() async throws {
    var events: [String] = []
    for seconds in [2.0, 10, 50] where !events.contains("waits") {
      let waiter = Waiter()
      _ = try start(waiter, waits: true, resourceTimeout: seconds)
      events = try await waiter.log.wait { $0.last == "-1001" }
    }
    #expect(events == ["waits", "-1001"])
  }

  @Test func `a change of the network lets it go on (B.9)`() async throws {
    let server = LessonServer()
    try server.start()
    let waiter = Waiter()
    let (_, task) = try start(waiter, waits: true)
    try await waiter.log.wait { $0 == ["waits"] }
    // In place of a network: another address.
    task.load?.setCurrent(URLRequest(url: try #require(URL(string: server.url("/ok")))))
    NetworkChanges.shared.changed()
    #expect(try await waiter.log.wait { $0.count == 2 } == ["waits", "0"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `a stream that waited connects, and sends no request of ours`() async throws {
    let server = LessonServer(opening: [.echo])
    try server.start()
    let waiter = Waiter()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    let session = URLSession(configuration: configuration, delegate: waiter, delegateQueue: nil)
    let task = session.streamTask(withHostName: "127.255.255.255", port: 9)
    task.resume()
    try await waiter.log.wait { $0 == ["waits"] }
    task.load?.setCurrent(URLRequest(url: try #require(URL(string: server.url("/")))))
    NetworkChanges.shared.changed()
    #expect(await task.put("hello") == nil)
    #expect(await task.text(5) == "hello")
    session.invalidateAndCancel()
  }

  @Test func `the kernel is listened to while somebody waits, and no longer`() throws {
    let changes = NetworkChanges()
    let count = EventLog<Int>()
    var observation = changes.observe { count.append(1) }
    #expect(observation != nil)
    changes.changed()
    #expect(count.all.count == 1)
    observation = nil
    changes.changed()
    #expect(count.all.count == 1)
    #expect(observation == nil)
  }
}
