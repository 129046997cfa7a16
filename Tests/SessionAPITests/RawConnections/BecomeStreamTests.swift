// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// B.9: the disposition `becomeStream`.
@Suite struct BecomeStreamTests {
  /// Runs a data task for `path` whose delegate makes it a stream; gives that to `body`.
  private static func withStream(
    _ path: String, routes: [Route] = Route.standard,
    _ body: (StreamFixture, URLSessionDataTask, URLSessionStreamTask) async throws -> Void
  ) async throws {
    let streams = EventLog<URLSessionStreamTask>()
    let fixture = try StreamFixture(opening: nil, routes: routes) { streams.append($0) }
    let task = try fixture.dataTask(path)
    task.resume()
    let stream = try #require(try await streams.wait { $0.count == 1 }.first)
    try await body(fixture, task, stream)
  }

  @Test func `the stream reads the body, in the data task's place (B9)`() async throws {
    try await Self.withStream("/body?size=3MiB&seed=5") { fixture, task, stream in
      #expect(stream.taskIdentifier == 2 && task.state == .completed)
      #expect((stream.response as? HTTPURLResponse)?.statusCode == 200)
      let isWhole = BodySum.of(try await stream.rest()) == SeededBody.checksum(seed: 5, size: 3 << 20)
      #expect(isWhole)
      let events = try await fixture.recorder.events()
      #expect(
        events == [.created, .response(200), .stream, .writeClosed, .readClosed, .metrics, .complete(nil)])
      #expect(await stream.put("nothing") == -1005)
      #expect(await fixture.session.allTasks.isEmpty)
    }
  }

  @Test func `an empty body is an end at once (B9)`() async throws {
    try await Self.withStream("/body?size=0") { fixture, _, stream in
      #expect(await stream.text() == ".")
      let last = try await fixture.recorder.events().last
      #expect(last == .complete(nil))
    }
  }

  @Test func `the server is held back while nobody reads (B9)`() async throws {
    try await Self.withStream("/body?size=64MiB&seed=1") { _, _, stream in
      try await eventually { stream.countOfBytesReceived >= 1 << 20 }
      #expect(stream.countOfBytesReceived < 3 << 20)
      let isWhole = BodySum.of(try await stream.rest()) == SeededBody.checksum(seed: 1, size: 64 << 20)
      #expect(isWhole)
    }
  }

  @Test func `a body that is cut fails the read (B9)`() async throws {
    try await Self.withStream("/body?size=1MiB&cut=4KiB&by=fin") { fixture, _, stream in
      await #expect(throws: URLError.self) { _ = try await stream.rest() }
      let last = try await fixture.recorder.events().last
      #expect(last == .complete(-1005))
    }
  }

  @Test func `a whole body that nobody reads leaves a task that can be cancelled (B9)`() async throws {
    try await Self.withStream("/body?size=1KiB") { fixture, _, stream in
      try await eventually { stream.countOfBytesReceived == 1024 }
      #expect(stream.state == .running)
      stream.cancel()
      let last = try await fixture.recorder.events().last
      #expect(last == .complete(-999))
      #expect(await stream.text() == "-999")
    }
  }

  @Test func `parts that replace one another are read one after the other (B9)`() async throws {
    try await Self.withStream("/parts?parts=3&size=2KiB") { fixture, _, stream in
      #expect(try await stream.rest().count == 3 * 2048)
      let last = try await fixture.recorder.events().last
      #expect(last == .complete(nil))
    }
  }

  @Test func `closing the reading side ends the task (B9)`() async throws {
    try await Self.withStream("/body?size=1KiB") { fixture, _, stream in
      stream.closeRead()
      let last = try await fixture.recorder.events().last
      #expect(last == .complete(nil))
    }
  }
}
