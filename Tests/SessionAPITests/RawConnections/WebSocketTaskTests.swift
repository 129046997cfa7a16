// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.8 and B.9, WebSocket tasks.
@Suite struct WebSocketTaskTests {
  @Test func `messages come back, and events have their order (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task("/socket?protocol=chat", protocols: ["talk", "chat"])
    try await task.send(.string("Grüße"))
    try await task.send(.data(Data([1, 2, 3])))
    #expect(await task.next() == "Grüße")
    #expect(await task.next() == "3 bytes")
    #expect(task.closeCode == .invalid && task.closeReason == nil)
    task.cancel(with: .normalClosure, reason: Data("done".utf8))
    let events = try await fixture.events()
    #expect(
      events == [.created, .open("chat"), .closed(.normalClosure, "done"), .metrics(transactions: 1), .complete(nil)])
    #expect(task.closeCode == .normalClosure && task.closeReason == Data("done".utf8))
    #expect((task.response as? HTTPURLResponse)?.statusCode == 101)
    #expect(task.response?.url == task.originalRequest?.url)
    #expect(task.state == .completed)
  }

  @Test func `what is sent before the handshake waits for it (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = fixture.session.webSocketTask(with: try fixture.url())
    let sent = EventLog<Int>()
    for number in 0..<10 { task.send(.string("\(number)")) { error in sent.append(error == nil ? number : -1) } }
    #expect(sent.all.isEmpty)
    task.resume()
    for number in 0..<10 { #expect(await task.next() == "\(number)") }
    #expect(try await sent.wait { $0.count == 10 } == Array(0..<10))
  }

  @Test func `each receive takes one message, in order (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task("/socket?fragment=10")
    let received = EventLog<String>()
    for _ in 0..<20 {
      task.receive { result in
        if case .success(.string(let text)) = result { received.append(text) } else { received.append("failed") }
      }
    }
    let texts = (0..<20).map { String(repeating: "\($0) ", count: $0) }
    for text in texts { try await task.send(.string(text)) }
    #expect(try await received.wait { $0.count == 20 } == texts)
  }

  @Test func `pings are answered in order, each once (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    let pongs = EventLog<String>()
    for number in 0..<5 { task.sendPing { error in pongs.append("\(number) \(error == nil)") } }
    #expect(try await pongs.wait { $0.count == 5 } == (0..<5).map { "\($0) true" })
    try await task.sendPing()
    task.cancel()
    _ = try await fixture.events()
    task.sendPing { error in pongs.append("\((error as? URLError)?.errorCode ?? 0)") }
    #expect(try await pongs.wait { $0.count == 6 }.last == "-999")
    let error = await #expect(throws: URLError.self) { try await task.sendPing() }
    #expect(error?.code == .cancelled)
  }

  @Test func `cancel ends every call with -999, and the server hears a close frame without a code (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    let answers = EventLog<String>()
    task.receive { if case .failure(let error) = $0 { answers.append("\((error as? URLError)?.errorCode ?? 0)") } }
    task.cancel()
    #expect(try await answers.wait { $0.count == 1 } == ["-999"])
    #expect(try await fixture.events().last == .complete(-999))
    #expect(await task.next() == "-999")
    await #expect(throws: URLError.self) { try await task.send(.string("late")) }
  }

  @Test func `a task that was never resumed is cancelled, too (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = fixture.session.webSocketTask(with: try fixture.url())
    let waiting = EventLog<Int>()
    task.send(.string("never")) { waiting.append(($0 as? URLError)?.errorCode ?? 0) }
    task.cancel(with: .goingAway, reason: nil)
    #expect(try await fixture.events().last == .complete(-999))
    #expect(try await waiting.wait { $0.count == 1 } == [-999])
    #expect(fixture.server.log.snapshot().requests.isEmpty)
  }

  @Test(arguments: [
    (1001, URLSessionWebSocketTask.CloseCode.goingAway), (1012, .unnamed(1012)), (4000, .unnamed(4000)),
    (1011, .internalServerError),
  ])
  func `the server closes, and the completion follows without an error (B9)`(
    code: Int, expected: URLSessionWebSocketTask.CloseCode
  ) async throws {
    let close = SocketFrame.close(UInt16(code), "bye").bytes
    let script: Script = [
      .acceptSocket(protocol: nil), .bytes(SocketFrame.text("last").bytes + close), .end(.fin),
    ]
    let fixture = try SocketFixture([Route("/close", script: script)])
    let task = try fixture.task("/close")
    let events = try await fixture.events()
    #expect(events == [.created, .open(nil), .closed(expected, "bye"), .metrics(transactions: 1), .complete(nil)])
    #expect(await task.next() == "last")
    #expect(await task.next() == "\(ENOTCONN)")
  }

  /// An end in order between two messages is the server's closing, as upstream's test of a semi-abrupt close has it.
  @Test(
    arguments: [([], Ending.fin, true), ([0x81, 5, 97], .fin, false), ([], .rst, false)] as [([UInt8], Ending, Bool)])
  func `a connection that is lost fails the task, and one that ends between messages is closed (B8)`(
    rest: [UInt8], ending: Ending, isClosed: Bool
  ) async throws {
    let script: Script = [
      .acceptSocket(protocol: nil), .bytes(SocketFrame.text("one").bytes), .gate("go"), .bytes(rest), .end(ending),
    ]
    let fixture = try SocketFixture([Route("/lost", script: script)])
    let task = try fixture.task("/lost")
    #expect(await task.next() == "one")
    fixture.server.open(gate: "go")
    #expect(await task.next() == "-1005")
    let closing: [SocketEvent] = isClosed ? [.closed(.normalClosure, nil)] : []
    let events = try await fixture.events()
    #expect(events == [.created, .open(nil)] + closing + [.metrics(transactions: 1), .complete(-1005)])
    #expect(task.closeCode == (isClosed ? .normalClosure : .invalid) && task.closeReason == nil)
    #expect(await task.next() == "-1005")
  }

  @Test func `a message above the limit fails the task, and the server is told 1009 (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = fixture.session.webSocketTask(with: try fixture.url())
    #expect(task.maximumMessageSize == 1_048_576)
    task.maximumMessageSize = 1000
    task.resume()
    try await task.send(.data(Data(count: 1000)))
    #expect(await task.next() == "1000 bytes")
    try await task.send(.data(Data(count: 1001)))
    #expect(await task.next() == "\(EMSGSIZE)")
    #expect(try await fixture.events().last == .complete(Int(EMSGSIZE)))
  }

  @Test func `a large message comes through whole (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = fixture.session.webSocketTask(with: try fixture.url("/socket?fragment=100KiB"))
    task.maximumMessageSize = 20 << 20
    task.resume()
    let content = Data(SeededBody(seed: 8).bytes(0..<(10 << 20)))
    try await task.send(.data(content))
    guard case .data(let back) = try await task.receive() else { throw URLError(.unknown) }
    let isEqual = back == content
    #expect(isEqual)
  }

  @Test func `the server is held back while nobody receives (B8)`() async throws {
    let flood = SocketFrame(2, [UInt8](repeating: 7, count: 60_000)).bytes
    let script: Script = [.acceptSocket(protocol: nil), .repeated(flood, times: 1000), .end(.fin)]
    let fixture = try SocketFixture([Route("/flood", script: script)])
    let task = try fixture.task("/flood")
    #expect(await task.next() == "60000 bytes")
    // The room between server and task is the inbox of 1 MiB and the system's buffers; 60 MB do not fit there.
    try await eventually { task.countOfBytesReceived >= 1 << 20 }
    #expect(task.countOfBytesReceived < 2 << 20)
    for _ in 1..<1000 { #expect(await task.next() == "60000 bytes") }
    #expect(await task.next() == "-1005")
  }
}
