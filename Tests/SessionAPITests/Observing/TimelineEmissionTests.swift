// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing
import Timeline

/// The events that the timeline is told, while somebody records. One recorder serves all tests of a process, so each test looks
/// for the events of its own loads, told apart by the name of its queue.
@Suite(.serialized) struct TimelineEmissionTests {
  struct Entry: Sendable, Equatable {
    var name: String
    var detail: String
    var payload: String
  }

  final class Tape: TimelineRecorder {
    let queue: String
    let entries = Locked<[Entry]>([])
    let leftOut = Locked<[String]>([])

    init(queue: String) { self.queue = queue }

    func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) {
      guard event.place.queue == queue else { return }
      if case .leftOut(let name, _) = event.kind { leftOut.withLock { $0.append(name) } }
      guard case .callback(let name, let detail) = event.kind else { return }
      entries.withLock { $0.append(Entry(name: name, detail: detail, payload: Self.text(payload))) }
    }

    private static func text(_ payload: TimelineEvent.Payload) -> String {
      switch payload {
      case .none: ""
      case .bytes(let bytes): "bytes \(bytes.count)"
      case .file(let path): "file \((try? Data(contentsOf: URL(filePath: path)).count) ?? -1)"
      case .response(let status, let length, _): "response \(status) \(length)"
      case .progress(let piece, let total, let expected): "progress \(piece) \(total) \(expected)"
      case .failure(let domain, let code): "failure \(domain) \(code)"
      case .success: "success"
      }
    }
  }

  /// A class of its own, so that nothing is known of it yet.
  private final class Asking: NSObject, URLSessionTaskDelegate {
    let tape: Tape
    let told = EventLog<[String]>()

    init(_ tape: Tape) { self.tape = tape }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      told.append(tape.entries.withLock { $0.map(\.name) })
    }
  }

  @Test func `the completion is told before the delegate is called, also for the first time`() async throws {
    let tape = Tape(queue: "asking")
    let queue = OperationQueue()
    (queue.maxConcurrentOperationCount, queue.name) = (1, "asking")
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/ok")
    let told = try await RecordingTurn.run {
      Timeline.install(tape)
      defer { Timeline.install(nil) }
      let delegate = Asking(tape)
      let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: queue)
      session.dataTask(with: url).resume()
      session.finishTasksAndInvalidate()
      return try await delegate.told.wait { !$0.isEmpty }
    }
    #expect(told == [["urlSession(_:task:didCompleteWithError:)"]])
  }

  private final class Forgetful: NSObject, URLSessionTaskDelegate {
    let invalidated = EventLog<Bool>()
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { invalidated.append(true) }
  }

  @Test func `a completion that the delegate has no method for is told as left out`() async throws {
    let tape = Tape(queue: "forgetful")
    let queue = OperationQueue()
    (queue.maxConcurrentOperationCount, queue.name) = (1, "forgetful")
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/ok")
    try await RecordingTurn.run {
      Timeline.install(tape)
      defer { Timeline.install(nil) }
      let delegate = Forgetful()
      let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: queue)
      session.dataTask(with: url).resume()
      session.finishTasksAndInvalidate()
      try await delegate.invalidated.wait { !$0.isEmpty }
    }
    #expect(tape.leftOut.withLock { $0 } == ["urlSession(_:task:didCompleteWithError:)"])
  }

  private static let routes = [
    Route("/ok", script: .response(.text("ok"))),
    Route("/stalled", script: [.stall]),
    Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/ok")]))),
  ]

  private func record(_ name: String, _ body: (Fixture) async throws -> Void) async throws -> [Entry] {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.name = name
    let tape = Tape(queue: name)
    let fixture = try Fixture(Self.routes, queue: queue)
    return try await RecordingTurn.run {
      Timeline.install(tape)
      defer { Timeline.install(nil) }
      try await body(fixture)
      fixture.session.finishTasksAndInvalidate()
      // The first call of a method on a class is told after it has run.
      let last = "urlSession(_:didBecomeInvalidWithError:)"
      try await eventually { tape.entries.withLock { $0.last?.name == last } }
      return tape.entries.withLock { $0 }
    }
  }

  @Test func `a data task's callbacks are told with what they were given`() async throws {
    let entries = try await record("data") { fixture in
      fixture.session.dataTask(with: try fixture.url("/from")).resume()
      try await fixture.recorder.log.wait { $0.ends == 1 }
    }
    let redirect = "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
    #expect(
      entries == [
        Entry(name: redirect, detail: "", payload: "response 302 0"),
        Entry(
          name: "urlSession(_:dataTask:didReceive:completionHandler:)", detail: "response", payload: "response 200 2"),
        Entry(name: "urlSession(_:dataTask:didReceive:)", detail: "data", payload: "bytes 2"),
        Entry(name: "urlSession(_:dataTask:willCacheResponse:completionHandler:)", detail: "", payload: ""),
        Entry(name: "urlSession(_:task:didCompleteWithError:)", detail: "", payload: "success"),
        Entry(name: "urlSession(_:didBecomeInvalidWithError:)", detail: "", payload: ""),
      ])
  }

  @Test func `a download task's callbacks are told with progress and file`() async throws {
    let entries = try await record("download") { fixture in
      fixture.session.downloadTask(with: try fixture.url("/ok")).resume()
      try await fixture.recorder.log.wait { $0.ends == 1 }
    }
    let progress = "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"
    #expect(
      entries.dropLast() == [
        Entry(name: progress, detail: "", payload: "progress 2 2 2"),
        Entry(name: "urlSession(_:downloadTask:didFinishDownloadingTo:)", detail: "", payload: "file 2"),
        Entry(name: "urlSession(_:task:didCompleteWithError:)", detail: "", payload: "success"),
      ])
  }

  @Test func `a handler is told with what it is given, then with how the task ended`() async throws {
    let entries = try await record("handlers") { fixture in
      let url = try fixture.url("/ok")
      let _: Outcome<Data> = await fixture.session.outcome {
        fixture.session.dataTask(with: url, completionHandler: $0)
      }
      let _: Outcome<URL> = await fixture.session.outcome {
        fixture.session.downloadTask(with: url, completionHandler: $0)
      }
      let stalled = try fixture.url("/stalled")
      let _: Outcome<Data> = await fixture.session.outcome {
        fixture.session.dataTask(with: stalled, completionHandler: $0)
      } then: { task in
        task.resume()
        task.cancel()
      }
    }
    #expect(
      entries.dropLast() == [
        Entry(name: "completionHandler", detail: "", payload: "bytes 2"),
        Entry(name: "completionHandler", detail: "end", payload: "success"),
        Entry(name: "completionHandler", detail: "", payload: "file 2"),
        Entry(name: "completionHandler", detail: "end", payload: "success"),
        Entry(name: "completionHandler", detail: "end", payload: "failure NSURLErrorDomain -999"),
      ])
  }

  private final class Sparse: NSObject, URLSessionDataDelegate {
    let log = EventLog<Bool>()
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append(true)
    }
  }

  @Test func `methods that the delegate does not have are never told`() async throws {
    let delegate = Sparse()
    let entries = try await record("sparse") { fixture in
      let session = URLSession(
        configuration: .default, delegate: delegate, delegateQueue: fixture.session.delegateQueue)
      for count in 1...2 {
        session.dataTask(with: try fixture.url("/from")).resume()
        try await delegate.log.wait { $0.count == count }
      }
      session.finishTasksAndInvalidate()
    }
    let completion = Entry(name: "urlSession(_:task:didCompleteWithError:)", detail: "", payload: "success")
    #expect(entries.filter { $0.name.contains("task") } == [completion, completion])
  }
}
