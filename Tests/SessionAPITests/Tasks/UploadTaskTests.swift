// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// B.6 and the upload rows of B.12, as far as they exist.
@Suite struct UploadTaskTests {
  private static let routes = [Route("/upload", script: .response(.text("got it", 201)))]

  @Test func `data goes in place of the request's own body, with progress, then response, data, completion`()
    async throws
  {
    let fixture = try Fixture(Self.routes)
    var request = try fixture.request("/upload", method: "POST")
    request.httpBody = Data("ignored".utf8)
    let body = Data(SeededBody(seed: 9).bytes(0..<3_000_000))
    let task = fixture.session.uploadTask(with: request, from: body)
    #expect(task.countOfBytesExpectedToSend == 3_000_000)
    task.resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "sent", "response", "data", "complete", "invalid"])
    Self.expectExactPieces(events, size: 3_000_000)
    #expect(task.countOfBytesSent == 3_000_000)
    let log = fixture.server.log.settled(within: .seconds(TestMachine.patience))
    let record = try #require(log.requests(for: "/upload").first)
    #expect(record.bodyBytes == 3_000_000)
    #expect(record.bodyChecksum == SeededBody.checksum(seed: 9, size: 3_000_000))
    #expect(record["Content-Length"] == "3000000")
  }

  @Test func `a file is sent with its length`() async throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "body")
    try Data(SeededBody(seed: 9).bytes(0..<3_000_000)).write(to: file)
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.uploadTask(with: try fixture.request("/upload", method: "PUT"), fromFile: file)
    #expect(task.countOfBytesExpectedToSend == 3_000_000)
    task.resume()
    let events = try await fixture.events()
    Self.expectExactPieces(events, size: 3_000_000)
    let log = fixture.server.log.settled(within: .seconds(TestMachine.patience))
    let record = try #require(log.requests(for: "/upload").first)
    #expect(record.bodyChecksum == SeededBody.checksum(seed: 9, size: 3_000_000))
  }

  @Test func `progress reaches the session's delegate past a task's own that leaves it out`() async throws {
    final class Silent: NSObject, URLSessionTaskDelegate {}
    for _ in 0..<3 {
      let fixture = try Fixture(Self.routes)
      let task = fixture.session.uploadTask(
        with: try fixture.request("/upload", method: "PUT"), from: Data(count: 300_000))
      task.delegate = Silent()
      task.resume()
      Self.expectExactPieces(try await fixture.events(), size: 300_000)
    }
  }

  @Test func `a delegate without a method for progress gets its completion all the same`() async throws {
    final class Ending: NSObject, URLSessionTaskDelegate, Sendable {
      let ends: AsyncStream<Int64>.Continuation
      init(_ ends: AsyncStream<Int64>.Continuation) { self.ends = ends }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        ends.yield(error == nil ? task.countOfBytesSent : -1)
      }
    }
    let (ends, continuation) = AsyncStream<Int64>.makeStream()
    let fixture = try Fixture(Self.routes)
    let session = URLSession(configuration: .ephemeral, delegate: Ending(continuation), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<2 {
      session.uploadTask(with: try fixture.request("/upload", method: "PUT"), from: Data(count: 300_000)).resume()
      #expect(await iterator.next() == 300_000)
    }
  }

  private static func expectExactPieces(_ events: [Event], size: Int64) {
    var total: Int64 = 0
    for case .sent(let piece, let sum, let whole) in events {
      total += piece
      #expect(sum == total)
      #expect(whole == size)
    }
    #expect(total == size)
  }

  @Test func `a handler gets the answer; nil data is an empty body`() async throws {
    let fixture = try Fixture(Self.routes)
    let request = try fixture.request("/upload", method: "POST")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.uploadTask(with: request, from: nil, completionHandler: $0)
    }
    #expect(outcome.status == 201)
    #expect(outcome.value == Data("got it".utf8))
    let log = fixture.server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests(for: "/upload").first?.bodyBytes == 0)
  }

  @Test func `an empty file is no body: a POST has no type, and a GET stays one (B.6)`() async throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "empty")
    try Data().write(to: file)
    let fixture = try Fixture(Self.routes)
    for method in ["POST", "GET"] {
      let request = try fixture.request("/upload", method: method)
      fixture.session.uploadTask(with: request, fromFile: file).resume()
    }
    #expect(try await fixture.events(after: 2).count { $0 == .complete(nil) } == 2)
    let requests = fixture.server.log.settled(within: .seconds(TestMachine.patience)).requests(for: "/upload")
    #expect(Set(requests.map { "\($0.method) \($0["Content-Length"] ?? "-")" }) == ["POST 0", "GET -"])
    #expect(requests.allSatisfy { $0["Content-Type"] == nil })
  }

  @Test func `a missing file ends the task with an error and sends nothing (B.12)`() async throws {
    let fixture = try Fixture(Self.routes)
    let request = try fixture.request("/upload", method: "PUT")
    let missing = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    fixture.session.uploadTask(with: request, fromFile: missing).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .complete(-1100), .invalid])
    #expect(fixture.server.log.counts.begun == 0)
  }

  @Test(arguments: [false, true])
  func `a file that is none of bytes ends the task, and holds up no other (B.12)`(isLinked: Bool) async throws {
    let directory = try TestDirectory()
    let (fifo, link) = (directory.url.appending(path: "fifo"), directory.url.appending(path: "link"))
    #expect(mkfifo(fifo.path, 0o600) == 0)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fifo)
    let fixture = try Fixture(Self.routes)
    let request = try fixture.request("/upload", method: "POST")
    fixture.session.uploadTask(with: request, fromFile: isLinked ? link : fifo).resume()
    _ = try await fixture.session.upload(for: request, from: Data("x".utf8))
    #expect(try await fixture.events().contains(.complete(-3001)))
    #expect(fixture.server.log.snapshot().requests.count == 1)
  }

  @Test func `a GET with a body ends with -1103 and sends nothing (B.12)`() async throws {
    let fixture = try Fixture(Self.routes)
    var request = try fixture.request("/upload")
    fixture.session.uploadTask(with: request, from: Data([1])).resume()
    request.httpBody = Data([1])
    fixture.session.dataTask(with: request).resume()
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .complete(-1103) } == 2)
    #expect(fixture.server.log.counts.begun == 0)
  }

  @Test(arguments: [("ftp://127.0.0.1/", -1002), ("nothing://127.0.0.1/", -1002), ("relative", -1002)])
  func `an address nobody can load ends the task with an error (B.12)`(address: String, code: Int) async throws {
    let fixture = try Fixture(Self.routes)
    fixture.session.dataTask(with: try #require(URL(string: address))).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .complete(code), .invalid])
  }

  @Test func `a request without an address ends with -1002 (B.12)`() async throws {
    let fixture = try Fixture(Self.routes)
    var request = try fixture.request("/upload")
    request.url = nil
    fixture.session.dataTask(with: request).resume()
    #expect(try await fixture.events() == [.created, .complete(-1002), .invalid])
  }
}
