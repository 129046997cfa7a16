// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// The handler facts of B.1.
@Suite struct HandlerTaskTests {
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 3, range: 0..<2_000_000)))),
    Route("/empty", script: .response(Response(204))),
    Route("/missing", script: .response(.text("no", 404))),
    Route("/cut", script: Script.response(.text("0123456789")).cut(after: 70, by: .fin)),
    Route("/refused", script: [.end(.rst)]),
    Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/empty")]))),
  ]

  @Test func `a data handler gets the whole body, on the delegate queue (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/seeded")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.isOnQueue)
    #expect(outcome.status == 200)
    #expect(outcome.error == nil)
    #expect(outcome.value?.count == 2_000_000)
    #expect(BodySum.of(outcome.value) == SeededBody.checksum(seed: 3, size: 2_000_000))
  }

  @Test func `response, data and completion methods are not called for a handler task, creation is (B.1)`() async throws
  {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/from")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    fixture.session.finishTasksAndInvalidate()
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(outcome.status == 204)
    #expect(events == [.created, .redirect(302), .invalid])
  }

  @Test func `an empty body is empty data, not nil (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/empty")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.value == Data())
    #expect(outcome.error == nil)
  }

  @Test func `a 404 is no error (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/missing")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.status == 404)
    #expect(outcome.value == Data("no".utf8))
    #expect(outcome.error == nil)
  }

  @Test func `on failure there is no data, but the response if one had come (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/cut")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.value == nil)
    #expect(outcome.status == 200)
    #expect(outcome.error?.code == .networkConnectionLost)
  }

  @Test func `on failure before a response there is neither (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/refused")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.value == nil)
    #expect(outcome.status == nil)
    #expect(outcome.error?.code == .networkConnectionLost)
    #expect(outcome.error?.userInfo[NSURLErrorFailingURLErrorKey] as? URL == url)
    #expect(outcome.error?.userInfo[NSErrorFailingURLStringKey] as? String == url.absoluteString)
  }

  @Test func `the task has the response, the counts and the error of its handler`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/cut")) { _, _, _ in
      fixture.session.finishTasksAndInvalidate()
    }
    task.resume()
    try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(task.state == .completed)
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect((task.error as? URLError)?.code == .networkConnectionLost)
    #expect(task.countOfBytesExpectedToReceive == 10)
    #expect(task.countOfBytesReceived < 10)
  }

  // MARK: Files

  @Test func `a file handler gets a file that is gone when the handler returns (B.7)`() async throws {
    let fixture = try Fixture(Self.routes)
    let paths = EventLog<(path: String, size: Int)>()
    let task = fixture.session.downloadTask(with: try fixture.url("/seeded")) { file, response, error in
      paths.append((file?.path ?? "", file.flatMap { try? Data(contentsOf: $0) }?.count ?? -1))
      fixture.session.finishTasksAndInvalidate()
    }
    task.resume()
    try await fixture.recorder.log.wait { $0.isInvalid }
    let (path, size) = try #require(paths.all.first)
    #expect(size == 2_000_000)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(fixture.recorder.log.all == [.created, .invalid])
  }

  @Test func `a file that the handler moves stays (B.7)`() async throws {
    let fixture = try Fixture(Self.routes)
    let kept = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: kept) }
    let url = try fixture.url("/seeded")
    fixture.session.downloadTask(with: url) { file, _, _ in
      if let file { try? FileManager.default.moveItem(at: file, to: kept) }
      fixture.session.finishTasksAndInvalidate()
    }.resume()
    try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(BodySum.of(try Data(contentsOf: kept)) == SeededBody.checksum(seed: 3, size: 2_000_000))
  }

  @Test func `a failed download has no file (B.1)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/cut")
    let outcome: Outcome<URL> = await fixture.session.outcome {
      fixture.session.downloadTask(with: url, completionHandler: $0)
    }
    #expect(outcome.value == nil)
    #expect(outcome.status == 200)
    #expect(outcome.error?.code == .networkConnectionLost)
  }

  @Test func `shared works with a handler and ignores its invalidation`() async throws {
    let fixture = try Fixture(Self.routes)
    URLSession.shared.invalidateAndCancel()
    URLSession.shared.finishTasksAndInvalidate()
    let url = try fixture.url("/missing")
    let outcome: Outcome<Data> = await URLSession.shared.outcome {
      URLSession.shared.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.status == 404)
    #expect(URLSession.shared.delegate == nil)
  }
}
