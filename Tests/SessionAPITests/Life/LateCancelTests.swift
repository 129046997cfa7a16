// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.5: a cancel that comes before the end was delivered is the end, although all bytes are there.
@Suite struct LateCancelTests {
  /// Loads five bytes, and cancels from a block of the delegate's queue that runs before any delivery.
  private func run(_ make: (URLSession, URL, EventLog<Int>) -> URLSessionTask) async throws -> [Int] {
    let server = LessonServer(routes: [Route("/x", script: .response(.text("hello")))])
    try server.start()
    defer { server.stop() }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let ends = EventLog<Int>()
    let session = URLSession(configuration: .ephemeral, delegate: Listener(ends), delegateQueue: queue)
    defer { session.finishTasksAndInvalidate() }
    let task = make(session, try #require(URL(string: server.url("/x"))), ends)
    let door = DispatchSemaphore(value: 0)
    queue.addOperation {
      if door.waitPatiently() { task.cancel() }
    }
    task.resume()
    try await eventually { task.countOfBytesReceived == 5 }
    door.signal()
    return try await ends.wait { !$0.isEmpty }
  }

  private final class Listener: NSObject, URLSessionDownloadDelegate {
    let ends: EventLog<Int>
    init(_ ends: EventLog<Int>) { self.ends = ends }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { ends.append(1) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      ends.append((error as? URLError)?.errorCode ?? 0)
    }
  }

  @Test func `B.5: a handler gets -999`() async throws {
    let codes = try await run { session, url, ends in
      session.dataTask(with: url) { data, _, error in
        ends.append(data == nil ? (error as? URLError)?.errorCode ?? 0 : 1)
      }
    }
    #expect(codes == [-999])
  }

  @Test func `B.5: a file's handler gets -999`() async throws {
    let codes = try await run { session, url, ends in
      session.downloadTask(with: url) { file, _, error in
        ends.append(file == nil ? (error as? URLError)?.errorCode ?? 0 : 1)
      }
    }
    #expect(codes == [-999])
  }

  @Test func `B.5: a download's delegate gets -999`() async throws {
    #expect(try await run { session, url, _ in session.downloadTask(with: url) } == [-999])
  }

  /// Cancels from a block of the delegate's queue that stands between the response and all that follows it.
  private final class DataListener: NSObject, URLSessionDataDelegate {
    let calls = EventLog<String>()
    let door = DispatchSemaphore(value: 0)

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      calls.append("response")
      session.delegateQueue.addOperation { [door] in
        if door.waitPatiently() { dataTask.cancel() }
      }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      calls.append("data")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      calls.append("\((error as? URLError)?.errorCode ?? 0)")
    }
  }

  @Test func `B.5: a data task's delegate gets -999, and none of the bytes`() async throws {
    let fixture = try Fixture([Route("/x", script: .response(.text("hello")))])
    let (queue, listener) = (OperationQueue(), DataListener())
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: queue)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: try fixture.url("/x"))
    task.resume()
    // What the task itself counts is what its delegate has got.
    try await eventually { task.shared.withLock { $0.load?.bytesReceived } == 5 }
    listener.door.signal()
    let calls = try await listener.calls.wait { $0.count > 1 }
    #expect(calls == ["response", "-999"])
    #expect(task.state == .completed && (task.error as? URLError)?.code == .cancelled)
  }
}
