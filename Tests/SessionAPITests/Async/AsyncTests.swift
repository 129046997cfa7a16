// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// B.2, as far as it exists.
@Suite struct AsyncTests {
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 2, range: 0..<1_000_000)))),
    Route("/missing", script: .response(.text("no", 404))),
    Route("/stalled", script: [.stall]),
    Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/seeded")]))),
    Route("/refused", script: [.end(.rst)]),
    Route(method: "PUT", "/upload", script: .response(.text("got it", 201))),
  ]

  @Test func `data returns body and response; a 404 is no error`() async throws {
    let fixture = try Fixture(Self.routes)
    let (data, response) = try await fixture.session.data(from: try fixture.url("/seeded"))
    #expect(BodySum.of(data) == SeededBody.checksum(seed: 2, size: 1_000_000))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    let (text, missing) = try await fixture.session.data(for: try fixture.request("/missing"))
    #expect(text == Data("no".utf8))
    #expect((missing as? HTTPURLResponse)?.statusCode == 404)
  }

  @Test func `download returns a file that is the caller's`() async throws {
    let fixture = try Fixture(Self.routes)
    let (file, _) = try await fixture.session.download(from: try fixture.url("/seeded"))
    #expect(BodySum.of(try Data(contentsOf: file)) == SeededBody.checksum(seed: 2, size: 1_000_000))
    try FileManager.default.removeItem(at: file)
  }

  @Test func `upload sends data or a file`() async throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "body")
    try Data("from a file".utf8).write(to: file)
    let fixture = try Fixture(Self.routes)
    let request = try fixture.request("/upload", method: "PUT")
    let (text, response) = try await fixture.session.upload(for: request, from: Data("from memory".utf8))
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
    #expect(text == Data("got it".utf8))
    _ = try await fixture.session.upload(for: request, fromFile: file)
    let log = fixture.server.log.settled(within: .seconds(TestMachine.patience))
    let sizes = log.requests(for: "/upload").map(\.bodyBytes)
    #expect(sizes == [11, 11])
  }

  @Test func `an error is thrown as URLError`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/refused")
    let error = await #expect(throws: URLError.self) { try await fixture.session.data(from: url) }
    #expect(error?.code == .networkConnectionLost)
  }

  @Test func `cancelling the Swift task throws URLError cancelled`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/stalled")
    let running = Task { try await fixture.session.data(from: url) }
    try #require(try await onThread { fixture.server.log.waitForRequests(1, within: .seconds(TestMachine.patience)) })
    running.cancel()
    let error = await #expect(throws: URLError.self) { try await running.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `in a cancelled Swift task it throws at once and sends nothing`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/stalled")
    let gate = EventLog<Bool>()
    let running = Task {
      _ = try? await gate.wait { !$0.isEmpty }
      return try await fixture.session.data(from: url)
    }
    running.cancel()
    gate.append(true)
    let error = await #expect(throws: URLError.self) { try await running.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `the delegate given is the task's own: asked about redirects, not given response, data or end`()
    async throws
  {
    let fixture = try Fixture(Self.routes)
    let own = Recorder()
    _ = try await fixture.session.data(from: try fixture.url("/from"), delegate: own)
    #expect(own.log.all == [.created, .redirect(302)])
    #expect(fixture.recorder.log.all == [])
  }

  private final class Deaf: NSObject, URLSessionTaskDelegate {}

  @Test func `what the task's own delegate lacks goes to the session's`() async throws {
    let fixture = try Fixture(Self.routes)
    _ = try await fixture.session.data(from: try fixture.url("/from"), delegate: Deaf())
    #expect(fixture.recorder.log.all == [.created, .redirect(302)])
  }
}
