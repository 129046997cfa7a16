// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// LC-12: a delegate's calls and the program's own blocks on one queue.
@Suite struct QueueTurnTests {
  /// The queues that a program may choose.
  enum Kind: String, CaseIterable, Sendable {
    case operations, overDispatchQueue, main
  }

  /// The order in which things came.
  private final class Course: Sendable {
    let steps = Locked<[String]>([])
    let queue: OperationQueue
    private let serial = DispatchQueue(label: "the program's")

    init(_ kind: Kind) {
      queue = kind == .main ? .main : OperationQueue()
      guard kind != .main else { return }
      queue.maxConcurrentOperationCount = 1
      if kind == .overDispatchQueue { queue.underlyingQueue = serial }
    }

    func note(_ step: String) { steps.withLock { $0.append(step) } }

    /// A call of the delegate's, which puts a block behind itself.
    func call(_ step: String) {
      note(step)
      let block: @Sendable () -> Void = { self.note("after \(step)") }
      if let dispatchQueue = queue.underlyingQueue {
        dispatchQueue.async(execute: block)
      } else {
        queue.addOperation(block)
      }
    }

    var hasEnded: Bool { steps.withLock { $0.last == "after end" } }
  }

  private final class ConnectionDelegate: NSObject, NSURLConnectionDataDelegate {
    let course: Course
    init(_ course: Course) { self.course = course }
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { course.call("response") }
    func connection(_ connection: NSURLConnection, didReceive data: Data) { course.call("data") }
    func connectionDidFinishLoading(_ connection: NSURLConnection) { course.call("end") }
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { course.call("end") }
  }

  private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    let course: Course
    init(_ course: Course) { self.course = course }
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      course.call("response")
      completionHandler(.allow)
    }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { course.call("data") }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      course.call("end")
    }
  }

  @Test(arguments: [Face.connection, .dataTask], Kind.allCases)
  func `what a call puts on its queue runs before the next call (LC-12)`(face: Face, kind: Kind) async throws {
    try await LessonServer.serving { server in
      let request = URLRequest(url: try #require(URL(string: server.url("/ok"))))
      let course = Course(kind)
      if face == .connection {
        NSURLConnection.begin(request, ConnectionDelegate(course), on: course.queue)
      } else {
        let session = URLSession(
          configuration: .ephemeral, delegate: SessionDelegate(course), delegateQueue: course.queue)
        session.dataTask(with: request).resume()
        session.finishTasksAndInvalidate()
      }
      try await eventually { course.hasEnded }
      #expect(
        course.steps.withLock { $0 } == ["response", "after response", "data", "after data", "end", "after end"])
    }
  }
}
