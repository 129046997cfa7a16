// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// B.1: invalidation, and who keeps whom.
@Suite(.exitTests) struct SessionLifeTests {
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 2, range: 0..<1_000_000)))),
    Route("/stalled", script: [.stall]),
    Route("/gated", script: [.gate("go"), .response(.text("ok"))]),
  ]

  /// Notes the invalidation outside of the delegate, which is let go with it.
  private final class Keeper: NSObject, URLSessionDataDelegate {
    let log: EventLog<Event>
    init(_ log: EventLog<Event>) { self.log = log }
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { log.append(.invalid) }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append(.complete((error as? URLError)?.errorCode))
    }
  }

  /// Uses its task once more as it goes, as a program does that cancels what nobody waits for any more.
  private final class Canceller: NSObject, URLSessionTaskDelegate {
    let task: URLSessionTask
    let states: Locked<[URLSessionTask.State]>
    init(_ task: URLSessionTask, _ states: Locked<[URLSessionTask.State]>) { (self.task, self.states) = (task, states) }
    deinit {
      task.cancel()
      states.withLock { $0.append(task.state) }
    }
  }

  @Test func `a task's own delegate may use the task as it is let go (B5)`() async throws {
    let fixture = try Fixture()
    let task = fixture.session.dataTask(with: try fixture.url("/ok"))
    let states = Locked<[URLSessionTask.State]>([])
    task.delegate = Canceller(task, states)
    task.resume()
    _ = try await fixture.events()
    try await eventually { states.withLock { $0.count } == 1 }
    #expect(states.withLock { $0 } == [.completed])
  }

  private struct Weak: Sendable {
    weak let session: URLSession?
    weak let delegate: Keeper?
    weak let task: URLSessionTask?
  }

  private func start(_ url: URL, _ log: EventLog<Event>) -> Weak {
    let delegate = Keeper(log)
    let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: url)
    task.resume()
    return Weak(session: session, delegate: delegate, task: task)
  }

  @Test func `the session keeps itself and its delegate until invalidated, the task until it ends (N3-06, N3-13)`()
    async throws
  {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    let log = EventLog<Event>()
    let weak = start(try #require(URL(string: server.url("/gated"))), log)
    try #require(try await onThread { server.log.waitForRequests(1, within: .seconds(TestMachine.patience)) })
    #expect(weak.session != nil)
    #expect(weak.delegate != nil)
    #expect(weak.task != nil)
    server.open(gate: "go")
    try await log.wait { $0.ends == 1 }
    try await eventually { weak.task == nil }
    #expect(weak.session != nil)
    #expect(weak.delegate != nil)
    weak.session?.finishTasksAndInvalidate()
    try await log.wait { $0.isInvalid }
    try await eventually { weak.session == nil && weak.delegate == nil }
  }

  @Test func `finishTasksAndInvalidate lets tasks end, then the delegate hears of it last (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/gated"))
    let unstarted = fixture.session.dataTask(with: try fixture.url("/seeded"))
    task.resume()
    fixture.session.finishTasksAndInvalidate()
    fixture.session.finishTasksAndInvalidate()
    fixture.server.open(gate: "go")
    try await fixture.recorder.log.wait { $0.ends == 1 }
    #expect(!fixture.recorder.log.all.isInvalid)
    unstarted.resume()
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(events.ends == 2)
    #expect(events.count { $0 == .complete(nil) } == 2)
    // The delegate is let go when its last method has returned, within the same operation.
    await withCheckedContinuation { done in fixture.session.delegateQueue.addBarrierBlock { done.resume() } }
    #expect(fixture.session.delegate == nil)
  }

  @Test func `invalidateAndCancel ends each task with -999, then the delegate hears of it (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    for _ in 0..<5 { fixture.session.dataTask(with: try fixture.url("/stalled")).resume() }
    _ = fixture.session.dataTask(with: try fixture.url("/seeded"))
    fixture.session.invalidateAndCancel()
    fixture.session.invalidateAndCancel()
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(events.count { $0 == .complete(-999) } == 6)
    #expect(events.ends == 6)
    #expect(events.count { $0 == .invalid } == 1)
  }

  @Test func `invalidateAndCancel goes further than a finishTasksAndInvalidate before it (LC-02)`() async throws {
    let fixture = try Fixture(Self.routes)
    fixture.session.dataTask(with: try fixture.url("/stalled")).resume()
    fixture.session.finishTasksAndInvalidate()
    fixture.session.invalidateAndCancel()
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(events == [.created, .complete(-999), .invalid])
  }

  @Test func `a session without tasks becomes invalid at once`() async throws {
    let fixture = try Fixture(Self.routes)
    fixture.session.finishTasksAndInvalidate()
    #expect(try await fixture.recorder.log.wait { $0.isInvalid } == [.invalid])
  }

  @Test func `a task for an invalidated session traps and says why (B.12)`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let session = URLSession(configuration: .default)
        session.invalidateAndCancel()
        _ = session.dataTask(with: URL(filePath: "/"))
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Task created in a session that has been invalidated"))
    #expect(text.contains("Make a new URLSession"))
  }

  @Test func `setting a task's delegate after resume traps and says why (B.12)`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let task = URLSession.shared.dataTask(with: URL(filePath: "/"))
        task.resume()
        task.delegate = nil
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Set it before the first resume()"))
  }

  @Test func `tasks that run or are suspended are listed by kind (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/stalled")
    let data = fixture.session.dataTask(with: url)
    let upload = fixture.session.uploadTask(with: try fixture.request("/stalled", method: "PUT"), from: Data([1]))
    let download = fixture.session.downloadTask(with: url)
    #expect(await fixture.session.allTasks.isEmpty)
    for task in [data, upload, download] { task.resume() }
    upload.suspend()
    let (datas, uploads, downloads) = await fixture.session.tasks
    #expect(datas == [data])
    #expect(uploads == [upload])
    #expect(downloads == [download])
    #expect(await fixture.session.allTasks == [data, upload, download])
    let lists = EventLog<Int>()
    fixture.session.getAllTasks { lists.append($0.count) }
    fixture.session.getTasksWithCompletionHandler { lists.append($0.count + $1.count + $2.count) }
    #expect(try await lists.wait { $0.count == 2 } == [3, 3])
    fixture.session.invalidateAndCancel()
    try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(await fixture.session.allTasks.isEmpty)
  }

  @Test func `tasks that were never resumed, are cancelled or complete are not listed (B.1)`() async throws {
    let listed = Locked<[Int]>([])
    let session = Locked<URLSession?>(nil)
    let fixture = try Fixture(
      Self.routes,
      Reactions(complete: { _, _ in
        session.withLock { $0 }?.getAllTasks { tasks in listed.withLock { $0.append(tasks.count) } }
      }))
    session.withLock { $0 = fixture.session }
    let never = fixture.session.dataTask(with: try fixture.url("/stalled"))
    let suspended = fixture.session.dataTask(with: try fixture.url("/stalled"))
    suspended.suspend()
    suspended.resume()
    let cancelled = fixture.session.dataTask(with: try fixture.url("/stalled"))
    cancelled.resume()
    #expect(await fixture.session.allTasks == [cancelled])
    cancelled.cancel()
    #expect(await fixture.session.allTasks.isEmpty)
    for task in [never, suspended] { task.cancel() }
    _ = try await fixture.events(after: 3)
    #expect(listed.withLock { $0 } == [0, 0, 0])
  }

  @Test func `a delegate that lets go of everything inside a callback ends well (LC-05)`() async throws {
    let holder = Locked<URLSession?>(nil)
    let fixture = try Fixture(
      Self.routes,
      Reactions(response: { _, answer in
        holder.withLock { session in
          let last = session
          session = nil
          return last
        }?.finishTasksAndInvalidate()
        answer(.allow)
      }))
    holder.withLock { $0 = fixture.session }
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(events.dataBytes == 1_000_000)
    #expect(events.ends == 1)
  }
}
