// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Bodies that have to be sent again: B.9, B.13 and fault RD-07.
@Suite struct BodyStreamTaskTests {
  private static let size: Int64 = 700_000
  private static let checksum = SeededBody.checksum(seed: 6, size: size)

  private static func stream() -> InputStream {
    InputStream(data: Data(SeededBody(seed: 6).bytes(0..<size)))
  }

  private func request(_ fixture: Fixture, _ path: String) throws -> URLRequest {
    var request = try fixture.request(path, method: "POST")
    request.httpBodyStream = Self.stream()
    return request
  }

  @Test(arguments: [307, 308]) func `a redirect that keeps the body asks for a new stream (B.9)`(status: Int)
    async throws
  {
    let fixture = try Fixture(Route.standard, Reactions(bodyStream: Self.stream))
    fixture.session.dataTask(with: try request(fixture, "/redirect/\(status)?to=/upload")).resume()
    let events = try await fixture.events()
    #expect(
      events.order == ["created", "sent", "redirect", "stream", "sent", "response", "data", "complete", "invalid"])
    let log = fixture.server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
  }

  @Test func `a streamed upload asks for its first stream, too, and is sent chunked (B.6, D60)`() async throws {
    let fixture = try Fixture(Route.standard, Reactions(bodyStream: Self.stream))
    let request = try fixture.request("/redirect/307?to=/upload", method: "POST")
    let task = fixture.session.uploadTask(withStreamedRequest: request)
    #expect(task.countOfBytesExpectedToSend == NSURLSessionTransferSizeUnknown)
    task.resume()
    let events = try await fixture.events()
    #expect(
      events.order == [
        "created", "stream", "sent", "redirect", "stream", "sent", "response", "data", "complete", "invalid",
      ])
    let requests = fixture.server.log.settled(within: .seconds(TestMachine.patience)).requests
    #expect(requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
    #expect(requests.map { $0["Transfer-Encoding"] } == ["chunked", "chunked"])
  }

  @Test func `a streamed upload without a stream ends with -1021 and sends nothing (B.9)`() async throws {
    let fixture = try Fixture()
    fixture.session.uploadTask(withStreamedRequest: try fixture.request("/upload", method: "POST")).resume()
    let events = try await fixture.events()
    #expect(events.contains(.complete(-1021)))
    #expect(fixture.server.log.snapshot().requests.isEmpty)
  }

  @Test func `without a stream the task ends with -1021 (B.9)`() async throws {
    let fixture = try Fixture()
    fixture.session.dataTask(with: try request(fixture, "/redirect/307?to=/upload")).resume()
    let events = try await fixture.events()
    #expect(events.contains(.complete(-1021)))
    #expect(fixture.server.log.snapshot().requests(for: "/upload").isEmpty)
  }

  @Test func `the task's own delegate is asked first, and the session's where that has no such method (B.9)`()
    async throws
  {
    final class Own: NSObject, URLSessionTaskDelegate {
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
      ) {
        completionHandler(BodyStreamTaskTests.stream())
        completionHandler(nil)  // the second answer is ignored
      }
    }
    final class Silent: NSObject, URLSessionTaskDelegate {}
    let fixture = try Fixture(Route.standard, Reactions(bodyStream: Self.stream))
    for delegate in [Own(), Silent()] as [any URLSessionTaskDelegate] {
      let task = fixture.session.dataTask(with: try request(fixture, "/redirect/307?to=/upload"))
      task.delegate = delegate
      task.resume()
    }
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .complete(nil) } == 2)
    #expect(events.count { $0 == .stream } == 1)
  }

  @Test func `data given to an upload is sent again by 307 and dropped by 303 (B.13)`() async throws {
    let fixture = try Fixture()
    let body = Data(SeededBody(seed: 6).bytes(0..<Self.size))
    for path in ["/redirect/307?to=/upload", "/redirect/303?to=/echo"] {
      fixture.session.uploadTask(with: try fixture.request(path, method: "POST"), from: body).resume()
    }
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .complete(nil) } == 2)
    let log = fixture.server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests(for: "/upload").map(\.bodyChecksum) == [Self.checksum])
    #expect(log.requests(for: "/upload").map(\.method) == ["POST"])
    #expect(log.requests(for: "/echo").map(\.method) == ["GET"])
    #expect(log.requests(for: "/echo").map(\.bodyBytes) == [0])
  }
}
