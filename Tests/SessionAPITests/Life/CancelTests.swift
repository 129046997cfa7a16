// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// U1 and B.5: a cancel at any stage gives exactly one -999 and nothing after it.
@Suite struct CancelTests {
  private static let size: Int64 = 8_000_000
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 2, range: 0..<size)))),
    Route("/stalled", script: [.stall]),
    Route("/half", script: [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .stall]),
    Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/seeded")]))),
  ]

  @Test func `before the first resume`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    task.cancel()
    #expect(task.state != .running)
    let events = try await fixture.events()
    #expect(events == [.created, .complete(-999), .invalid])
    #expect(fixture.server.log.counts.begun == 0)
    #expect((task.error as? URLError)?.userInfo[NSURLErrorFailingURLErrorKey] as? URL == task.originalRequest?.url)
  }

  @Test func `right after the resume`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    task.resume()
    task.cancel()
    let events = try await fixture.events()
    #expect(events.last { $0.kind == "complete" } == .complete(-999))
    #expect(events.ends == 1)
  }

  @Test func `while the server is silent`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/stalled"))
    task.resume()
    try #require(try await onThread { fixture.server.log.waitForRequests(1, within: .seconds(TestMachine.patience)) })
    task.cancel()
    #expect(try await fixture.events() == [.created, .complete(-999), .invalid])
  }

  @Test func `while suspended`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/stalled"))
    task.resume()
    task.suspend()
    task.cancel()
    #expect(try await fixture.events() == [.created, .complete(-999), .invalid])
  }

  @Test func `inside the redirect callback, answered or not`() async throws {
    for answers in [true, false] {
      let tasks = EventLog<URLSessionTask>()
      let reactions = Reactions(
        created: { tasks.append($0) },
        redirect: { request, answer in
          tasks.all[0].cancel()
          if answers { answer(request) }
        })
      let fixture = try Fixture(Self.routes, reactions)
      fixture.session.dataTask(with: try fixture.url("/from")).resume()
      #expect(try await fixture.events() == [.created, .redirect(302), .complete(-999), .invalid])
    }
  }

  @Test func `inside the response callback, answered or not`() async throws {
    for answers in [true, false] {
      let fixture = try Fixture(
        Self.routes,
        Reactions(response: { task, answer in
          task.cancel()
          if answers { answer(.allow) }
        }))
      fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
      #expect(try await fixture.events() == [.created, .response(200), .complete(-999), .invalid])
    }
  }

  @Test func `inside the first data callback`() async throws {
    let fixture = try Fixture(Self.routes, Reactions(data: { task, _ in task.cancel() }))
    fixture.session.dataTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events.count { $0.kind == "data" } == 1)
    #expect(events.suffix(2) == [.complete(-999), .invalid])
  }

  @Test func `inside the completion, which is too late`() async throws {
    let fixture = try Fixture(Self.routes, Reactions(complete: { task, _ in task.cancel() }))
    let task = fixture.session.dataTask(with: try fixture.url("/seeded"))
    task.resume()
    let events = try await fixture.events()
    #expect(events.suffix(2) == [.complete(nil), .invalid])
    #expect(task.state == .completed)
    #expect(task.error == nil)
  }

  @Test func `twice, from two threads`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/half"))
    task.resume()
    try await fixture.recorder.log.wait { $0.dataBytes == 5 }
    Thread.detachNewThread { task.cancel() }
    task.cancel()
    let events = try await fixture.events()
    #expect(events == [.created, .response(200), .data(5), .complete(-999), .invalid])
  }

  @Test(arguments: ["/stalled", "/half"]) func `a data handler gets -999 once`(path: String) async throws {
    try await cancelWithHandler(of: path) { $0.dataTask(with: $1, completionHandler: $2) }
  }

  @Test func `a file handler gets -999 once, and no file is left`() async throws {
    try await cancelWithHandler(of: "/half") { $0.downloadTask(with: $1, completionHandler: $2) }
  }

  /// Cancels a task with a handler once the server has its request.
  private func cancelWithHandler<Value>(
    of path: String,
    _ make: (URLSession, URL, @escaping @Sendable (Value?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture(Self.routes, directory: directory.url)
    let calls = EventLog<Int?>()
    let task = make(fixture.session, try fixture.url(path)) { value, _, error in
      #expect(value == nil)
      calls.append((error as? URLError)?.errorCode)
    }
    task.resume()
    try #require(try await onThread { fixture.server.log.waitForRequests(1, within: .seconds(TestMachine.patience)) })
    task.cancel()
    fixture.session.finishTasksAndInvalidate()
    try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(calls.all == [-999])
    #expect(directory.files == [])
  }

  @Test func `a cancel of a completed download whose file was not delivered yet removes the file`() async throws {
    let directory = try TestDirectory()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let fixture = try Fixture(Self.routes, queue: queue, directory: directory.url)
    let task = fixture.session.downloadTask(with: try fixture.url("/seeded"))
    task.resume()
    let isServed = try await onThread {
      fixture.server.log.wait(within: .seconds(TestMachine.patience)) { $0.begun == 1 && $0.inFlight == 0 }
    }
    #expect(isServed)
    task.cancel()
    queue.isSuspended = false
    let events = try await fixture.events()
    #expect(events == [.created, .complete(-999), .invalid])
    #expect(directory.files == [])
  }
}
