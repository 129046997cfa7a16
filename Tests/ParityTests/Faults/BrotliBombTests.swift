// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// CE-05 for Brotli, whose bodies grow by more than half a million times.
@Suite struct BrotliBombTests {
  /// A stream of zeros by the reference encoder: its front, meta-blocks for 64 MiB that end where a byte ends, and the last.
  private static let front = decoded("y///PwAkAOKxQHI=")
  private static let period = decoded(
    """
    7//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fs/
    /v//ASABEIcFoHv/x///PwAkAOKwAHQ=
    """)
  private static let back = decoded(
    """
    7//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fu/
    /P//AyABEIcFoHv/Bw==
    """)

  private static func decoded(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
  }

  /// A body of `64 * count` MiB.
  private static func zeros(_ count: Int) -> Script {
    let head = Response(fields: [HeaderField("Content-Encoding", "br")], framing: .untilClose).head
    return Script([
      .bytes(head), .bytes(front), .repeated(period, times: count - 1), .bytes(back), .end(.fin),
    ])
  }

  /// A redirect whose 7 KB stand for 4 GiB. It is short enough to be read to its end before it is followed.
  private static let redirect: Script = {
    let body = front + Array(repeatElement(period, count: 63).joined()) + back
    let fields = [HeaderField("Content-Encoding", "br"), HeaderField("Location", "/ok")]
    return .response(Response(302, fields: fields, body: .bytes(body)))
  }()

  static let routes = [
    Route("/4GiB", script: zeros(64)), Route("/1GiB", script: zeros(16)), Route("/ok", script: .response(.text("ok"))),
    Route("/redirect", script: redirect),
  ]

  @Test(arguments: [Face.asynchronous, .handlerTask])
  func `7 KB that grow to 4 GiB are refused where they are collected, with -1103 (CE-05)`(face: Face) async throws {
    try await LessonServer.serving(Self.routes) { server in
      let client = Client(face)
      for (path, code) in [("/4GiB", URLError.Code.dataLengthExceedsMaximum), ("/ok", nil)] {
        let facts = await client.load(URLRequest(url: try #require(URL(string: server.url(path)))))
        #expect((facts.error as? URLError)?.code == code)
        #expect(facts.body.count == (code == nil ? 2 : 0))
      }
      await client.close()
    }
  }

  @Test func `nothing is decoded of a redirect that is followed (CE-05)`() async throws {
    final class Metrics: NSObject, URLSessionTaskDelegate {
      let transactions = Locked<[URLSessionTaskTransactionMetrics]>([])

      func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        transactions.withLock { $0 = metrics.transactionMetrics }
      }
    }
    try await LessonServer.serving(Self.routes) { server in
      let url = try #require(URL(string: server.url("/redirect")))
      let metrics = Metrics()
      let (data, _) = try await URLSession.shared.data(from: url, delegate: metrics)
      #expect(data == Data("ok".utf8))
      let transactions = metrics.transactions.withLock { $0 }
      #expect(transactions.count == 2)
      // It was read all the same: the next request goes over its connection.
      #expect(transactions.last?.isReusedConnection == true)
      #expect(transactions.map(\.countOfResponseBodyBytesAfterDecoding).max() ?? 0 < 64 << 10)
    }
  }

  @Test func `so they are where a caller waits for them (CE-05)`() async throws {
    try await LessonServer.serving(Self.routes) { server in
      let url = try #require(URL(string: server.url("/4GiB")))
      let awaited = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
      #expect(awaited?.code == .dataLengthExceedsMaximum)
      let told = try await onThread { () -> Int? in
        do { _ = try NSURLConnection.sendSynchronousRequest(URLRequest(url: url), returning: nil) } catch {
          return (error as? URLError)?.errorCode
        }
        return nil
      }
      #expect(told == -1103)
    }
  }
}

/// CE-05: what a delegate of either API gets of such a body, in a process of its own, whose memory is measured.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct BrotliPieceTests {
  /// A piece is 1 MiB at most; one waits, one is filled, one is the delegate's.
  private static let bound = 16 << 20

  /// Counts the bytes of a load.
  private final class Counter: NSObject, NSURLConnectionDataDelegate, URLSessionDataDelegate {
    struct Facts: Sendable {
      var bytes = 0
      var largest = 0
      var error: (any Error)?
    }

    let facts = Locked(Facts())
    let ended: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    override init() { (ended, end) = AsyncStream.makeStream() }

    private func take(_ data: Data) {
      facts.withLock { facts in
        facts.bytes += data.count
        facts.largest = max(facts.largest, data.count)
      }
    }

    private func finish(_ error: (any Error)?) {
      facts.withLock { $0.error = error }
      end.finish()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { take(data) }
    func connectionDidFinishLoading(_ connection: NSURLConnection) { finish(nil) }
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { finish(error) }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { take(data) }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      finish(error)
    }
  }

  /// Loads with a delegate, to the end.
  private static func load(_ url: String, on face: Face) async throws -> Counter.Facts {
    let request = URLRequest(url: try #require(URL(string: url)))
    let counter = Counter()
    if face.isSession {
      let session = URLSession(configuration: .ephemeral, delegate: counter, delegateQueue: nil)
      session.dataTask(with: request).resume()
      session.finishTasksAndInvalidate()
    } else {
      NSURLConnection.begin(request, counter, on: OperationQueue())
    }
    for await _ in counter.ended {}
    return counter.facts.withLock { $0 }
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `a delegate gets 1 GiB in pieces, in bounded memory (CE-05)`(face: Face) async throws {
    try await LessonServer.serving(BrotliBombTests.routes) { server in
      let url = server.url("/")
      await #expect(processExitsWith: .success) { [face = face as Face, url = url as String] in
        _ = try await BrotliPieceTests.load(url + "ok", on: face)
        ProcessUsage.resetPeak()
        let before = ProcessUsage.resident
        let facts = try await BrotliPieceTests.load(url + "1GiB", on: face)
        let growth = ProcessUsage.peak - before
        #expect(facts.error == nil && facts.bytes == 1 << 30 && facts.largest <= 1 << 20, "\(facts)")
        #expect(growth < BrotliPieceTests.bound, "it grew by \(growth) bytes")
      }
    }
  }
}
