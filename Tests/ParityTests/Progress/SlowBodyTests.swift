// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// Bytes that are on their way through a place that gathers, while the other side waits for word of them.
@Suite struct SlowBodyTests {
  private static func script(_ fields: String, _ first: [UInt8], _ second: [UInt8]) -> Script {
    [
      .text("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(first.count + second.count)\r\n\r\n"), .bytes(first),
      .gate("rest"), .bytes(second),
    ]
  }

  private static let (one, two) = (Array("one".utf8), Array("two".utf8))
  private static let routes = [
    Route("/plain", script: script("", one, two)),
    Route("/stored", script: script("Cache-Control: max-age=60\r\n", one, two)),
    Route("/gzip", script: script("Content-Encoding: gzip\r\n", StoredCoding.gzip(one), StoredCoding.gzip(two))),
    Route(
      "/chunked",
      script: [
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none"), .gate("rest"),
        .text("\r\n3\r\ntwo\r\n0\r\n\r\n"),
      ]),
    Route(
      "/parts",
      script: [
        .text("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\nConnection: close\r\n\r\n"),
        .text("--b\r\n\r\none"), .gate("rest"), .text("two\r\n--b--"), .end(.fin),
      ]),
  ]

  @Test(arguments: [Face.connection, .dataTask], ["/plain", "/stored", "/gzip", "/chunked", "/parts"])
  func `a delegate has the bytes that came while the server waits`(face: Face, path: String) async throws {
    try await LessonServer.serving(Self.routes) { server in
      let client = Client(face)
      let observation = client.start(URLRequest(url: try #require(URL(string: server.url(path)))))
      try await eventually { observation.facts.body == Self.one }
      server.open(gate: "rest")
      #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
      await client.close()
      #expect(observation.facts.error == nil)
      #expect(observation.facts.body == Self.one + Self.two)
    }
  }

  /// Gives a thousand bytes, and then waits until its user has heard that they were sent.
  private final class HesitatingStream: InputStream {
    static let piece = 1000
    let heard = DispatchSemaphore(value: 0)
    private let reads = Locked(0)

    init() { super.init(data: Data()) }

    override func open() {}
    override func close() {}
    override var streamStatus: Stream.Status { .open }
    override var hasBytesAvailable: Bool { true }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
      let read = reads.withLock { reads in
        reads += 1
        return reads
      }
      guard read <= 3 else { return 0 }
      if read > 1, !heard.waitPatiently() { return -1 }
      buffer.update(repeating: 7, count: Self.piece)
      return Self.piece
    }
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `an upload tells of what was sent while its stream waits for more`(face: Face) async throws {
    try await LessonServer.serving { server in
      let stream = HesitatingStream()
      var request = URLRequest(url: try #require(URL(string: server.url("/upload"))))
      request.httpMethod = "POST"
      request.httpBodyStream = stream
      let heard = stream.heard
      let load = WatchedLoad { _, _ in heard.signal() }
      load.upload(face, request)
      #expect(await load.observation.hasEnded(within: .seconds(TestMachine.patience)))
      #expect(load.observation.facts.error == nil)
      #expect(load.totals == [1000, 2000, 3000])
    }
  }
}
