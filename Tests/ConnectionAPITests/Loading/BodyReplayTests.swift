// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// Bodies that have to be sent again, and their progress: A.7, A.4, B.13; RD-07 and NF-05.
@Suite(.inOrder) struct BodyReplayTests {
  private static let size: Int64 = 700_000
  private static let body = SeededBody(seed: 6).bytes(0..<size)
  private static let checksum = SeededBody.checksum(seed: 6, size: size)
  private static let routes = [
    Route(
      "/dead", answer: .sequence([[.end(.rst)], .response(.text("again"))]))
  ]

  private static func stream() -> InputStream { InputStream(data: Data(body)) }

  private func running() throws -> LessonServer { try LessonServer.running(Self.routes) }

  private func request(_ server: LessonServer, _ path: String, method: String = "POST") throws -> URLRequest {
    var request = try server.request(path)
    request.httpMethod = method
    request.httpBodyStream = Self.stream()
    return request
  }

  private func load(_ requests: URLRequest..., delegate: RecordingDelegate, through other: NSObject? = nil)
    async throws
  {
    try await onOwnThread { [other = Carried(value: other)] in
      for request in requests {
        _ = NSURLConnection(request: request, delegate: other.value ?? delegate)
        RunLoop.current.run()  // ends with the load
      }
    }
    #expect(delegate.isOver)
  }

  @Test func `the first sending asks for nothing, and tells its progress up to the whole (A.7)`() async throws {
    let server = try running()
    let delegate = RecordingDelegate()
    try await load(try request(server, "/upload"), delegate: delegate)
    Grammar.expectWhole(delegate)
    #expect(delegate.course == "wsrdf")
    let sent = delegate.record.withLock { $0.sent }
    #expect(sent.last == .init(bytes: sent.last?.bytes ?? 0, total: Int(Self.size), expected: -1))
    #expect(sent.reduce(0) { $0 + $1.bytes } == Int(Self.size))
    #expect(server.log.settled(within: .seconds(TestMachine.patience)).requests.first?.bodyChecksum == Self.checksum)
  }

  @Test func `with a Content-Length the stream is sent with it, and it is the expected total (A.7)`() async throws {
    let server = try running()
    let delegate = RecordingDelegate()
    var request = try request(server, "/upload")
    request.setValue("\(Self.size)", forHTTPHeaderField: "Content-Length")
    try await load(request, delegate: delegate)
    #expect(delegate.record.withLock { $0.sent }.allSatisfy { $0.expected == Int(Self.size) })
    #expect(server.log.snapshot().requests.first?["Content-Length"] == "\(Self.size)")
  }

  @Test(arguments: [307, 308])
  func `a redirect that keeps the body asks for a new stream, and the progress falls back (A.7, RD-07)`(status: Int)
    async throws
  {
    let server = try running()
    let delegate = RecordingDelegate(makeStream: Self.stream)
    try await load(try request(server, "/redirect/\(status)?to=/upload"), delegate: delegate)
    Grammar.expectWhole(delegate)
    #expect(delegate.course == "wswnsrdf")
    let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
    #expect(requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
    #expect(requests.map(\.method) == ["POST", "POST"])
    let totals = delegate.record.withLock { $0.sent.map(\.total) }
    #expect(zip(totals, totals.dropFirst()).contains { $0 > $1 }, "N5-07 the totals never fell back: \(totals)")
    #expect(delegate.record.withLock { $0.sent }.allSatisfy { $0.bytes > 0 })
  }

  @Test func `without the method the stream is sent again from a copy (A.7, RD-07)`() async throws {
    let server = try running()
    let delegate = RecordingDelegate()
    let other = DelegateWithoutStream(delegate)
    try await load(try request(server, "/redirect/307?to=/upload"), delegate: delegate, through: other)
    #expect(delegate.course == "wswsrdf")
    let log = server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
  }

  @Test func `nil in place of a new stream fails with -1021 (A.7, RD-07)`() async throws {
    let server = try running()
    let delegate = RecordingDelegate()
    try await load(try request(server, "/redirect/307?to=/upload"), delegate: delegate)
    #expect(delegate.course == "wswne")
    let error = try #require(delegate.record.withLock { $0.error } as? URLError)
    #expect(error.code == .requestBodyStreamExhausted)
    #expect((error.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.path == "/upload")
    #expect(server.log.snapshot().requests(for: "/upload").isEmpty)
  }

  @Test func `a cancel while the new stream is asked for ends in silence (A.5)`() async throws {
    let server = try running()
    let delegate = RecordingDelegate(hook: { if $0.letter == "n" { $0.connection.cancel() } }, makeStream: Self.stream)
    let request = try request(server, "/redirect/307?to=/upload")
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    #expect(delegate.calls.last == "n")
    #expect(server.log.snapshot().requests(for: "/upload").isEmpty)
  }

  @Test func `a delegate's own request in answer to a redirect brings a stream of its own (A.7)`() async throws {
    let server = try running()
    let other = try request(server, "/upload", method: "PUT")
    let delegate = RecordingDelegate(answer: { request, redirect in redirect == nil ? request : other })
    try await load(try request(server, "/redirect/307?to=/ok"), delegate: delegate)
    #expect(delegate.course == "wswsrdf")
    #expect(server.log.snapshot().requests.map(\.method) == ["POST", "PUT"])
    #expect(server.log.settled(within: .seconds(TestMachine.patience)).requests.last?.bodyChecksum == Self.checksum)
  }

  /// Sends a request over a connection that has served one before and is reset once the body has been sent. All
  /// connections of the process share their sockets, and idle ones may be closed in favour of another test's; then it is
  /// tried once more.
  private func sendOverDeadConnection(_ method: String, isStream: Bool = true) async throws
    -> (delegate: RecordingDelegate, log: [RequestRecord])
  {
    for _ in 0..<20 {
      let server = try running()
      let delegate = RecordingDelegate(makeStream: Self.stream)
      var requests = (try server.request("/ok"), try request(server, "/dead", method: method))
      if !isStream { requests.1.httpBody = Data(Self.body) }
      try await load(requests.0, requests.1, delegate: delegate)
      let log = server.log.settled(within: .seconds(TestMachine.patience)).requests
      if log.count > 1, log[0].socket == log[1].socket { return (delegate, Array(log.dropFirst())) }
    }
    throw URLError(.resourceUnavailable)
  }

  @Test func `a connection that was dead: a PUT asks for a new stream and goes out once more (A.7, NF-05)`()
    async throws
  {
    let (delegate, log) = try await sendOverDeadConnection("PUT")
    #expect(delegate.course == "wrdfwsnsrdf")
    #expect(log.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
  }

  @Test(arguments: [true, false])
  func `a POST whose body had been sent is not repeated: -1005 (NF-05)`(isStream: Bool) async throws {
    let (delegate, log) = try await sendOverDeadConnection("POST", isStream: isStream)
    #expect(delegate.course == "wrdfwse")
    #expect((delegate.record.withLock { $0.error } as? URLError)?.code == .networkConnectionLost)
    #expect(log.count == 1)
  }

  @Test func `the class methods send a stream again from a copy (A.8)`() async throws {
    let server = try running()
    let request = try request(server, "/redirect/307?to=/upload")
    try await onOwnThread {
      var response: URLResponse?
      _ = try NSURLConnection.sendSynchronousRequest(request, returning: &response)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    let log = server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.map(\.bodyChecksum) == [Self.checksum, Self.checksum])
  }

  @Test(arguments: [301, 302, 303]) func `a redirect that drops the body asks for none (B.13)`(status: Int) async throws
  {
    let server = try running()
    let delegate = RecordingDelegate(makeStream: Self.stream)
    try await load(try request(server, "/redirect/\(status)?to=/echo"), delegate: delegate)
    #expect(delegate.course == "wswrdf")
    let last = try #require(server.log.settled(within: .seconds(TestMachine.patience)).requests.last)
    #expect(last.method == "GET")
    #expect(last.bodyBytes == 0)
    #expect(last["Content-Type"] == nil)
    #expect(last["Transfer-Encoding"] == nil)
  }
}

/// Tells another delegate everything, but has no `connection(_:needNewBodyStream:)`.
final class DelegateWithoutStream: NSObject, NSURLConnectionDataDelegate {
  private let other: RecordingDelegate

  init(_ other: RecordingDelegate) { self.other = other }

  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest? {
    other.connection(connection, willSend: request, redirectResponse: response)
  }
  func connection(
    _ connection: NSURLConnection, didSendBodyData bytesWritten: Int, totalBytesWritten: Int,
    totalBytesExpectedToWrite: Int
  ) {
    other.connection(
      connection, didSendBodyData: bytesWritten, totalBytesWritten: totalBytesWritten,
      totalBytesExpectedToWrite: totalBytesExpectedToWrite)
  }
  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    other.connection(connection, didReceive: response)
  }
  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    other.connection(connection, didReceive: data)
  }
  func connectionDidFinishLoading(_ connection: NSURLConnection) { other.connectionDidFinishLoading(connection) }
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    other.connection(connection, didFailWithError: error)
  }
}
