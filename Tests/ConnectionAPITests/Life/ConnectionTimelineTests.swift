// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Timeline

/// What the deliveries tell whoever records. The recorder is one for the process: events of other tests pass by.
@Suite(.serialized, .inOrder) struct ConnectionTimelineTests {
  private final class Recorder: TimelineRecorder {
    struct Line: Sendable {
      var subject: UInt64
      var text: String
      var thread: Int
      var mode: String?
    }

    let lines = Locked<[Line]>([])

    func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) {
      guard let text = Self.text(event.kind, payload) else { return }
      let line = Line(
        subject: event.subject, text: text, thread: event.place.thread.number, mode: event.place.runLoopMode)
      lines.withLock { $0.append(line) }
    }

    private static func text(_ kind: TimelineEvent.Kind, _ payload: TimelineEvent.Payload) -> String? {
      switch kind {
      case .note(let sentence): return sentence
      case .callback(let name, let detail):
        return [name, detail, text(payload)].filter { !$0.isEmpty }.joined(separator: " ")
      default: return nil
      }
    }

    private static func text(_ payload: TimelineEvent.Payload) -> String {
      switch payload {
      case .bytes(let bytes): "\(bytes.count) bytes"
      case .response(let status, let length, _): "\(status) \(length)"
      case .failure(let domain, let code): "\(domain) \(code)"
      case .success: "success"
      default: ""
      }
    }

    /// The lines of the one load that ran on this thread.
    func lines(onThread number: Int) -> [Line] {
      let all = lines.withLock { $0 }
      guard let subject = all.first(where: { $0.thread == number })?.subject else { return [] }
      return all.filter { $0.subject == subject }
    }
  }

  private func record(_ body: @escaping @Sendable () throws -> Void) async throws -> [Recorder.Line] {
    try await RecordingTurn.run {
      let recorder = Recorder()
      GrammarWatch.shared.watch(with: recorder)
      defer { GrammarWatch.shared.watch() }
      let thread = try await onOwnThread {
        try body()
        return ThreadNumber.current
      }
      return recorder.lines(onThread: thread)
    }
  }

  @Test func `every call of a delegate is announced, with its place and what it carries`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/redirect/302?to=/1k")
    let delegate = RecordingDelegate()
    let lines = try await record {
      _ = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.isOver })
    }
    let thread = try #require(lines.first?.thread)
    #expect(
      lines.map(\.text) == [
        "scheduled on thread \(thread) in mode kCFRunLoopDefaultMode",
        "connection(_:willSend:redirectResponse:)",
        "connection(_:willSend:redirectResponse:) 302 10",
        "connection(_:didReceive:) response 200 1024",
        "connection(_:didReceive:) data 1024 bytes",
        "connectionDidFinishLoading(_:) success",
      ])
    #expect(Set(lines.dropFirst().map(\.mode)) == ["kCFRunLoopDefaultMode"])
  }

  @Test func `a failure carries domain and code`() async throws {
    let server = try LessonServer.running([Route("/nothing", script: [.end(.fin)])])
    let request = try server.request("/nothing")
    let delegate = RecordingDelegate()
    let lines = try await record {
      _ = NSURLConnection(request: request, delegate: delegate)
      #expect(runLoop { delegate.isOver })
    }
    #expect(lines.last?.text == "connection(_:didFailWithError:) NSURLErrorDomain -1005")
  }

  @Test func `methods that a delegate leaves out are not announced, but the end is`() async throws {
    final class Silent: NSObject, NSURLConnectionDataDelegate {}
    let server = try LessonServer.running()
    let request = try server.request("/1k")
    let lines = try await record {
      for _ in 0..<2 {
        _ = NSURLConnection(request: request, delegate: Silent())
        RunLoop.current.run()
      }
    }
    #expect(lines.dropFirst().map(\.text) == ["connectionDidFinishLoading(_:) success"])
  }

  @Test func `a call without effect is noted`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/ok")
    let delegate = RecordingDelegate()
    let lines = try await record {
      let connection = NSURLConnection(request: request, delegate: delegate)
      connection?.start()
      #expect(runLoop { delegate.isOver })
    }
    #expect(lines.contains { $0.text == "start() had no effect: the connection has already started" })
  }

  @Test func `the synchronous call tells the bytes and the end`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/1k")
    let lines = try await record { _ = try NSURLConnection.sendSynchronousRequest(request, returning: nil) }
    #expect(
      lines.map(\.text) == [
        "sendSynchronousRequest(_:returning:) 1024 bytes", "sendSynchronousRequest(_:returning:) end success",
      ])
  }

  @Test func `the asynchronous handler is announced on its queue`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/1k")
    let recorder = Recorder()
    let thread = try await RecordingTurn.run {
      GrammarWatch.shared.watch(with: recorder)
      defer { GrammarWatch.shared.watch() }
      return try await onOwnThread {
        let (done, thread) = (DispatchSemaphore(value: 0), Locked(0))
        NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue()) { _, _, _ in
          thread.withLock { $0 = ThreadNumber.current }
          done.signal()
        }
        done.wait()
        return thread.withLock { $0 }
      }
    }
    let texts = recorder.lines.withLock { $0 }.filter { $0.thread == thread }.map(\.text)
    #expect(texts.contains("completionHandler 1024 bytes"))
    #expect(texts.contains("completionHandler end success"))
  }
}
