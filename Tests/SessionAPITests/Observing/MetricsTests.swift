// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// B.15: what is measured of a task.
@Suite struct MetricsTests {
  /// Notes the metrics and the completion, in order.
  private final class Meter: NSObject, URLSessionDataDelegate {
    let metrics = EventLog<URLSessionTaskMetrics>()
    let order = EventLog<String>()

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
      order.append("metrics")
      self.metrics.append(metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      order.append("complete")
    }
  }

  private func metrics(
    _ routes: [Route] = Route.standard, tls: TLSSettings? = nil, of make: (URLSession, LessonServer) throws -> Void
  ) async throws -> [URLSessionTaskMetrics] {
    let server = LessonServer(routes: routes)
    try server.start()
    let meter = Meter()
    let session = URLSession(configuration: .default, delegate: meter, delegateQueue: nil)
    try make(session, server)
    session.finishTasksAndInvalidate()
    return try await meter.metrics.wait { !$0.isEmpty }
  }

  @Test func `one transaction for each hop, with request, response, phases, connection and counts (B.15)`() async throws
  {
    let body = Data(repeating: 7, count: 1000)
    let before = Date()
    let all = try await metrics { session, server in
      var request = URLRequest(url: try #require(URL(string: server.url("/redirect/307?to=/upload"))))
      request.httpMethod = "PUT"
      request.setValue("x", forHTTPHeaderField: "X-Field")
      session.uploadTask(with: request, from: body).resume()
    }
    let metrics = try #require(all.first)
    #expect(metrics.redirectCount == 1)
    #expect(metrics.transactionMetrics.count == 2)
    #expect(metrics.taskInterval.start >= before)
    let (first, last) = (metrics.transactionMetrics[0], metrics.transactionMetrics[1])
    #expect(first.request.url?.path == "/redirect/307")
    #expect(last.request.url?.path == "/upload")
    #expect((first.response as? HTTPURLResponse)?.statusCode == 307)
    #expect((last.response as? HTTPURLResponse)?.statusCode == 200)
    #expect((first.isReusedConnection, last.isReusedConnection) == (false, true))
    #expect(first.localPort == last.localPort)
    for transaction in [first, last] {
      #expect(transaction.resourceFetchType == .networkLoad)
      #expect(transaction.networkProtocolName == "http/1.1")
      #expect(transaction.remoteAddress == "127.0.0.1")
      #expect(transaction.remotePort == transaction.request.url?.port)
      #expect(transaction.countOfRequestBodyBytesSent == 1000)
      #expect(transaction.countOfRequestHeaderBytesSent > 50)
      #expect(transaction.countOfResponseHeaderBytesReceived > 20)
      #expect(transaction.domainLookupStartDate == nil)
      #expect(transaction.secureConnectionStartDate == nil)
      Self.expectOrder(transaction, in: metrics)
    }
    #expect(first.connectStartDate != nil && first.connectEndDate != nil)
    #expect((last.connectStartDate, last.connectEndDate) == (nil, nil))
    #expect(last.countOfResponseBodyBytesReceived == last.countOfResponseBodyBytesAfterDecoding)
  }

  private static func expectOrder(
    _ transaction: URLSessionTaskTransactionMetrics, in metrics: URLSessionTaskMetrics
  ) {
    let dates = [
      metrics.taskInterval.start, transaction.fetchStartDate, transaction.domainLookupStartDate,
      transaction.domainLookupEndDate, transaction.connectStartDate, transaction.connectEndDate,
      transaction.requestStartDate, transaction.responseStartDate, transaction.responseEndDate,
    ].compactMap { $0 }
    #expect(dates == dates.sorted())
    #expect(dates.count >= 5)
    #expect(transaction.requestStartDate ?? .distantFuture <= transaction.requestEndDate ?? .distantPast)
  }

  @Test func `a body that is decoded has two counts (B.15)`() async throws {
    let text = Array("The quick brown fox jumps over the lazy dog.".utf8)
    // Stored blocks of RFC 1951 in the frame of RFC 1950.
    let stored: [UInt8] = [0x78, 0x01, 0x01, UInt8(text.count), 0, ~UInt8(text.count), 0xFF] + text
    let adler = text.reduce((a: 1, b: 0)) { sums, byte in
      let a = (sums.a + Int(byte)) % 65_521
      return (a, (sums.b + a) % 65_521)
    }
    let sum = [adler.b >> 8, adler.b & 255, adler.a >> 8, adler.a & 255].map { UInt8($0) }
    let response = Response(fields: [HeaderField("Content-Encoding", "deflate")], body: .bytes(stored + sum))
    let all = try await metrics([Route("/", script: .response(response))]) { session, server in
      session.dataTask(with: try #require(URL(string: server.url("/")))).resume()
    }
    let transaction = try #require(all.first?.transactionMetrics.first)
    #expect(transaction.countOfResponseBodyBytesReceived == Int64(stored.count + 4))
    #expect(transaction.countOfResponseBodyBytesAfterDecoding == Int64(text.count))
  }

  @Test func `a name has a look-up, and a task with a handler is measured, too (B.15)`() async throws {
    let all = try await metrics { session, server in
      let url = try #require(URL(string: server.url("/ok", host: "localhost")))
      session.dataTask(with: url) { _, _, _ in }.resume()
    }
    let transaction = try #require(all.first?.transactionMetrics.first)
    #expect(transaction.domainLookupStartDate != nil)
    #expect(transaction.domainLookupEndDate != nil)
  }

  @Test func `a refused connection and a request that was never sent are measured as far as they came (B.15)`()
    async throws
  {
    let closed = ClosedPort()
    let all = try await metrics { session, _ in
      session.dataTask(with: try #require(URL(string: closed.url))).resume()
    }
    let refused = try #require(all.first?.transactionMetrics.first)
    #expect(refused.response == nil)
    #expect(refused.resourceFetchType == .unknown)
    #expect(!refused.isReusedConnection)
    #expect((refused.requestStartDate, refused.responseStartDate, refused.remotePort) == (nil, nil, nil))
    let unsent = try await metrics { session, _ in
      session.dataTask(with: URLRequest(url: try #require(URL(string: "nothing://x/")))).resume()
    }
    #expect(unsent.first?.transactionMetrics.isEmpty == true)
    #expect(unsent.first?.redirectCount == 0)
  }

  @Test func `a cancelled transfer tells what had come (B.15)`() async throws {
    let fixture = try Fixture([PartRoutes.held("/file")], Reactions(data: { task, _ in task.cancel() }))
    let meter = Meter()
    let task = fixture.session.dataTask(with: try fixture.url("/file"))
    task.delegate = meter
    task.resume()
    let metrics = try #require(try await meter.metrics.wait { !$0.isEmpty }.first)
    let transaction = try #require(metrics.transactionMetrics.first)
    #expect(transaction.countOfResponseBodyBytesReceived > 0)
    #expect(transaction.responseStartDate != nil)
  }

  @Test func `the metrics come just before the completion (B.10)`() async throws {
    let fixture = try Fixture()
    let meter = Meter()
    let session = URLSession(configuration: .default, delegate: meter, delegateQueue: nil)
    session.dataTask(with: try fixture.url("/ok")).resume()
    session.finishTasksAndInvalidate()
    let order = try await meter.order.wait { $0.count == 2 }
    #expect(order == ["metrics", "complete"])
  }
}
