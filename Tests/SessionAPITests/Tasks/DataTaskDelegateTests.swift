// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import Testing

@Suite struct DataTaskDelegateTests {
  private static let body = Route(
    "/seeded", script: .response(Response(body: .seeded(seed: 7, range: 0..<3_000_000))))

  @Test func `created, response, data, completion, invalidation, in this order (B.10)`() async throws {
    let received = BodySum()
    let fixture = try Fixture([Self.body], Reactions(data: { received.add($1) }))
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "response", "data", "complete", "invalid"])
    #expect(events.contains(.response(200)))
    #expect(events.contains(.complete(nil)))
    #expect(events.dataBytes == 3_000_000)
    #expect(received.value == SeededBody.checksum(seed: 7, size: 3_000_000))
  }

  @Test func `inside the completion the state is completed and the counts are final (B.10)`() async throws {
    let seen = EventLog<[Int64]>()
    let reactions = Reactions(complete: { task, _ in
      seen.append([
        Int64(task.state.rawValue), task.countOfBytesReceived, task.countOfBytesExpectedToReceive,
        task.countOfBytesSent, task.countOfBytesExpectedToSend,
      ])
    })
    let fixture = try Fixture([Self.body], reactions)
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    _ = try await fixture.events()
    #expect(seen.all == [[3, 3_000_000, 3_000_000, 0, 0]])
  }

  @Test(arguments: [0, 1]) func `an empty body gives no data callback (B.1)`(kind: Int) async throws {
    let empty = [Response(204), Response(200, body: .bytes([]))]
    let fixture = try Fixture([Route("/empty", script: .response(empty[kind]))])
    fixture.session.dataTask(with: try fixture.url("/empty")).resume()
    let events = try await fixture.events()
    // The 200 is offered to the cache, as any other is.
    #expect(events.order == ["created", "response"] + (kind == 0 ? [] : ["cached"]) + ["complete", "invalid"])
    #expect(events.contains(.complete(nil)))
  }

  @Test func `a 404 is a response with a body and no error (B.9)`() async throws {
    let fixture = try Fixture([Route("/gone", script: .response(.text("no", 404)))])
    fixture.session.dataTask(with: try fixture.url("/gone")).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .response(404), .data(2), .complete(nil), .invalid])
  }

  @Test func `the expected length is -1 when the server tells none (B.5)`() async throws {
    let route = Route("/open", script: .response(Response(body: .bytes([1, 2, 3]), framing: .untilClose)))
    let expected = Locked<Int64?>(nil)
    let reactions = Reactions(response: { task, answer in
      expected.withLock { $0 = task.countOfBytesExpectedToReceive }
      answer(.allow)
    })
    let fixture = try Fixture([route], reactions)
    fixture.session.dataTask(with: try fixture.url("/open")).resume()
    let events = try await fixture.events()
    #expect(expected.withLock { $0 } == -1)
    #expect(events.dataBytes == 3)
  }

  // MARK: The answer to the response

  @Test func `no data comes before the response was answered, late and from another thread (B.9)`() async throws {
    let answers = EventLog<@Sendable (URLSession.ResponseDisposition) -> Void>()
    let fixture = try Fixture([Self.body], Reactions(response: { answers.append($1) }))
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let answer = try await answers.wait { !$0.isEmpty }[0]
    // Another task on the same queue comes and goes meanwhile.
    let other: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(
        with: URLRequest(url: (try? fixture.url("/nothing")) ?? URL(filePath: "/")), completionHandler: $0)
    }
    #expect(other.status == 404)
    #expect(fixture.recorder.log.all.dataBytes == 0)
    Thread.detachNewThread { answer(.allow) }
    let events = try await fixture.events()
    #expect(events.dataBytes == 3_000_000)
  }

  @Test func `only the first answer to a response counts (B.9)`() async throws {
    let fixture = try Fixture(
      [Self.body],
      Reactions(response: { _, answer in
        answer(.allow)
        answer(.cancel)
      }))
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events.contains(.complete(nil)))
    #expect(events.dataBytes == 3_000_000)
  }

  @Test func `the answer cancel ends the task with -999 and without data (B.9)`() async throws {
    let fixture = try Fixture([Self.body], Reactions(response: { $1(.cancel) }))
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .response(200), .complete(-999), .invalid])
  }

  // MARK: Delegates that lack methods

  private final class CompletionOnly: NSObject, URLSessionDataDelegate {
    let log = EventLog<Int?>()
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append((error as? URLError)?.errorCode)
    }
  }

  private final class Nothing: NSObject, URLSessionDelegate {
    let log = EventLog<Bool>()
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { log.append(true) }
  }

  @Test func `a method left out does what Apple does without it (L1)`() async throws {
    let fixture = try Fixture([Self.body, Self.redirect])
    let delegate = CompletionOnly()
    let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try fixture.url("/from")).resume()
    try await delegate.log.wait { $0 == [nil] }
    session.invalidateAndCancel()
  }

  @Test func `a task nobody listens to completes all the same`() async throws {
    let fixture = try Fixture([Self.body, Self.redirect])
    let delegate = Nothing()
    let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try fixture.url("/from"))
    task.resume()
    session.finishTasksAndInvalidate()
    try await delegate.log.wait { $0.count == 1 }
    #expect(task.state == .completed)
    #expect(task.error == nil)
    #expect(task.countOfBytesReceived == 3_000_000)
  }

  private static let redirect = Route(
    "/from", script: .response(Response(302, fields: [HeaderField("Location", "/seeded")])))

  // MARK: Where and how

  @Test func `callbacks run on the given queue, one at a time and in order, also on a concurrent one (B.1)`()
    async throws
  {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 8
    let inside = Locked(0)
    let overlaps = Locked(0)
    let strangers = Locked(0)
    let received = BodySum()
    let reactions = Reactions(data: { _, data in
      let now = inside.withLock { count in
        count += 1
        return count
      }
      if now > 1 { overlaps.withLock { $0 += 1 } }
      if OperationQueue.current !== queue { strangers.withLock { $0 += 1 } }
      received.add(data)
      inside.withLock { $0 -= 1 }
    })
    let fixture = try Fixture([Self.body], reactions, queue: queue)
    #expect(fixture.session.delegateQueue === queue)
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "response", "data", "complete", "invalid"])
    #expect(overlaps.withLock { $0 } == 0)
    #expect(strangers.withLock { $0 } == 0)
    #expect(received.value == SeededBody.checksum(seed: 7, size: 3_000_000))
  }

  @Test func `creation is told on the creating thread, before the call returns (B.9)`() throws {
    let thread = Locked<ObjectIdentifier?>(nil)
    let fixture = try Fixture(
      [Self.body], Reactions(created: { _ in thread.withLock { $0 = ObjectIdentifier(Thread.current) } }))
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    #expect(fixture.recorder.log.all == [.created])
    #expect(thread.withLock { $0 } == ObjectIdentifier(Thread.current))
    task.cancel()
    fixture.session.invalidateAndCancel()
  }

  @Test func `numbers count up from 1 in each session (B.5)`() throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let session = URLSession(configuration: .default)
    defer { session.invalidateAndCancel() }
    #expect((0..<3).map { _ in session.dataTask(with: url).taskIdentifier } == [1, 2, 3])
  }
}
