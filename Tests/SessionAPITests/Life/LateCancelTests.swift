// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

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

  @Test func `a handler gets -999 (B.5)`() async throws {
    let codes = try await run { session, url, ends in
      session.dataTask(with: url) { data, _, error in
        ends.append(data == nil ? (error as? URLError)?.errorCode ?? 0 : 1)
      }
    }
    #expect(codes == [-999])
  }

  @Test func `a file's handler gets -999 (B.5)`() async throws {
    let codes = try await run { session, url, ends in
      session.downloadTask(with: url) { file, _, error in
        ends.append(file == nil ? (error as? URLError)?.errorCode ?? 0 : 1)
      }
    }
    #expect(codes == [-999])
  }

  @Test func `a download's delegate gets -999 (B.5)`() async throws {
    #expect(try await run { session, url, _ in session.downloadTask(with: url) } == [-999])
  }
}
