// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import Glibc
import LessonServer
import Locking
import TestSupport
import Testing

/// What the time-out of a request measures: A.10. Time is what is tested here, so these tests wait for it; each
/// limit leaves seconds for a busy machine.
@Suite(.inOrder, .enabled(if: TestMachine.keepsTime)) struct TimeoutRowTests {
  /// Seven bytes, one a second.
  private static let slow = Route(
    "/slow",
    script: Script(
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")]
        + (1...7).flatMap { [Step.delay(.seconds(1)), .text("\($0)")] }))

  @Test func `the default is 60 s, and every byte starts it anew: the whole may take longer (A.10)`() async throws {
    let server = try LessonServer.running([Self.slow])
    var request = try server.request("/slow")
    #expect(request.timeoutInterval == 60)
    request.timeoutInterval = 5
    let delegate = RecordingDelegate()
    let synchronous = try await onOwnThread { [request] in
      _ = NSURLConnection(request: request, delegate: delegate)
      let connection = Locked<Data?>(nil)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let data = try? NSURLConnection.sendSynchronousRequest(request, returning: nil)
        connection.withLock { $0 = data }
        done.signal()
      }
      RunLoop.current.run()
      #expect(done.waitPatiently())
      return connection.withLock { $0 }
    }
    #expect(delegate.course == "wrdf")
    #expect(delegate.record.withLock { $0.body } == Data("1234567".utf8))
    #expect(synchronous == Data("1234567".utf8), "A.8: the synchronous call's as well")
  }

  /// Where a server can fall silent.
  enum Silence: CaseIterable {
    case connecting, handshake, head, body
  }

  @Test(arguments: Silence.allCases)
  func `silence ends the load with -1001, in whatever phase (A.10)`(silence: Silence) async throws {
    let server = LessonServer(
      routes: [
        Route("/head", script: [.text("HTTP/1.1 200 OK\r\nContent-"), .stall]),
        Route("/body", script: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel"), .stall]),
      ], opening: silence == .handshake ? [.stall] : nil)
    try server.start()
    let full = FullPort()
    let url =
      switch silence {
      case .connecting: full.url
      case .handshake: server.url("/").replacingOccurrences(of: "http:", with: "https:")
      case .head: server.url("/head")
      case .body: server.url("/body")
      }
    var request = URLRequest(url: try #require(URL(string: url)))
    request.timeoutInterval = 1
    let delegate = RecordingDelegate()
    let elapsed = try await onOwnThread { [request] in
      let began = Date()
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
      return Date().timeIntervalSince(began)
    }
    Grammar.expectWhole(delegate)
    #expect((delegate.record.withLock { $0.error } as? URLError)?.code == .timedOut)
    #expect(elapsed >= 1)
    #expect(String(decoding: delegate.record.withLock { $0.body }, as: UTF8.self) == (silence == .body ? "hel" : ""))
  }

  @Test func `a delegate that is busy for longer than the time-out holds the load, and does not end it (A.10)`()
    async throws
  {
    let server = try LessonServer.running()
    var request = try server.request("/body?size=8MiB&seed=4")
    // Far more than a busy machine takes to send the next piece.
    request.timeoutInterval = 8
    let blocks = Flag()
    let delegate = RecordingDelegate { call in
      guard call.letter == "d", !blocks.isSet else { return }
      blocks.set()
      // The pause is the thing under test: a delegate that is busy for longer than the time-out.
      Thread.sleep(forTimeInterval: 12)
    }
    try await onOwnThread { [request] in
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    #expect(delegate.course == "wrdf")
    let body = delegate.record.withLock { $0.body }
    #expect(BodyChecksum(of: body).value == SeededBody.checksum(seed: 4, size: 8 << 20))
  }
}

/// A port whose line of connections is full: those that come next are never answered.
private final class FullPort {
  private var sockets: [Int32] = []
  let url: String

  init() {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var clients: [Int32] = []
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        _ = bind(listener, general, size)
        _ = getsockname(listener, general, &size)
        _ = listen(listener, 0)
        for _ in 0..<4 {
          let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
          _ = connect(client, general, size)
          clients.append(client)
        }
      }
    }
    sockets = [listener] + clients
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
  }

  deinit {
    for socket in sockets { close(socket) }
  }
}
