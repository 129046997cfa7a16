// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// Codes of every number, and the errors of Apple's domain (B.8, E7).
@Suite struct WebSocketClosingTests {
  typealias Code = URLSessionWebSocketTask.CloseCode

  @Test func `a code is a number, with a name or without (E7)`() {
    for number in [0, 1000, 1001, 1004, 1005, 1011, 1012, 1015, 3000, 4999, 70_000, -1] {
      #expect(Code(rawValue: number)?.rawValue == number)
    }
    #expect(Code(rawValue: 1000) == .normalClosure && Code.unnamed(1000) == .normalClosure)
    #expect(Set([Code.unnamed(1001), .goingAway, .unnamed(4000)]).count == 2)
  }

  @Test(arguments: [1012, 1013, 1014, 3000, 4000, 4999])
  func `codes without a name go out and come back (E7)`(number: Int) async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    let code = try #require(Code(rawValue: number))
    task.cancel(with: code, reason: Data("why".utf8))
    let events = try await fixture.events()
    #expect(events == [.created, .open(nil), .closed(code, "why"), .metrics(transactions: 1), .complete(nil)])
    #expect(task.closeCode.rawValue == number && task.closeReason == Data("why".utf8))
    #expect(await task.next() == "\(ENOTCONN)")
  }

  @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_536 + 1000, -1])
  func `a code that must not be sent is left out (E7)`(number: Int) async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    task.cancel(with: try #require(Code(rawValue: number)), reason: Data("why".utf8))
    #expect(try await fixture.events().contains(.closed(.noStatusReceived, nil)))
  }

  @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535])
  func `a server's close frame with a code that must not be is a fault (E7)`(number: UInt16) async throws {
    let script: Script = [
      .acceptSocket(protocol: nil), .bytes(SocketFrame.close(number).bytes), .gate("end"), .end(.fin),
    ]
    let fixture = try SocketFixture([Route("/bad", script: script)])
    let task = try fixture.task("/bad")
    #expect(await task.next() == "-1017")
    fixture.server.open(gate: "end")
    #expect(try await fixture.events().last == .complete(-1017))
  }

  @Test func `after the close calls fail with ENOTCONN over -1005 (B8)`() async throws {
    let fixture = try SocketFixture()
    let task = try fixture.task()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    task.cancel(with: .normalClosure, reason: nil)
    // Whether the server has answered yet makes no difference.
    for _ in 0..<2 {
      let error = await #expect(throws: NSError.self) { try await task.send(.string("late")) }
      expectSystem(error, ENOTCONN, over: .networkConnectionLost, task)
      _ = try await fixture.events()
    }
  }

  @Test(arguments: [Ending.fin, .rst])
  func `a message that is too long ends calls and task with one EMSGSIZE (B8)`(ending: Ending) async throws {
    let long = SocketFrame(2, [UInt8](repeating: 7, count: 9)).bytes
    let script: Script = [.acceptSocket(protocol: nil), .bytes(long), .gate("end"), .end(ending)]
    let fixture = try SocketFixture([Route("/long", script: script)])
    let task = fixture.session.webSocketTask(with: try fixture.url("/long"))
    task.maximumMessageSize = 8
    let errors = EventLog<String>()
    task.sendPing { errors.append("\($0.map { ($0 as NSError).code } ?? 0)") }
    task.resume()
    let error = await #expect(throws: NSError.self) { try await task.receive() }
    expectSystem(error, EMSGSIZE, over: .dataLengthExceedsMaximum, task)
    fixture.server.open(gate: "end")
    #expect(try await fixture.events().last == .complete(Int(EMSGSIZE)))
    expectSystem(task.error.map { $0 as NSError }, EMSGSIZE, over: .dataLengthExceedsMaximum, task)
    #expect(await task.next() == "\(EMSGSIZE)")
    #expect(errors.all == ["\(EMSGSIZE)"])
  }

  @Test(arguments: [Ending.fin, .rst])
  func `a fault ends calls and task with one error, however the connection ends then (B8)`(
    ending: Ending
  ) async throws {
    let bad = SocketFrame(2, [1], mask: [1, 2, 3, 4]).bytes
    let script: Script = [.acceptSocket(protocol: nil), .bytes(bad), .gate("end"), .end(ending)]
    let fixture = try SocketFixture([Route("/masked", script: script)])
    let task = try fixture.task("/masked")
    let error = await #expect(throws: URLError.self) { try await task.receive() }
    fixture.server.open(gate: "end")
    #expect(try await fixture.events().last == .complete(-1017))
    #expect((task.error as? URLError)?.localizedDescription == error?.localizedDescription)
    #expect(error?.localizedDescription == "The server masks its frames.")
  }

  /// Messages and what ends the WebSocket behind them, in one piece.
  private func fixture(_ count: Int, _ goodbye: [UInt8]) throws -> SocketFixture {
    let frames = (0..<count).flatMap { SocketFrame(1, Array("m\($0)".utf8)).bytes }
    let script: Script = [.acceptSocket(protocol: nil), .bytes(frames + goodbye), .end(.fin)]
    return try SocketFixture([Route("/last", script: script)])
  }

  /// Receives one message after the other, until that fails.
  private static func receiveAll(_ task: URLSessionWebSocketTask, _ log: EventLog<SocketEvent>) {
    task.receive { result in
      guard case .success(.string(let text)) = result else { return }
      log.append(.message(text))
      receiveAll(task, log)
    }
  }

  @Test(arguments: [1, 2, 3, 10, 100])
  func `messages in one piece with what ends the WebSocket are received before the end (B8)`(count: Int) async throws {
    let masked = SocketFrame(2, [1], mask: [1, 2, 3, 4]).bytes
    let ways: [([UInt8], [SocketEvent])] = [
      (SocketFrame.close(1000).bytes, [.closed(.normalClosure, nil), .metrics(transactions: 1), .complete(nil)]),
      ([], [.closed(.normalClosure, nil), .metrics(transactions: 1), .complete(-1005)]),
      (masked, [.metrics(transactions: 1), .complete(-1017)]),
    ]
    for (goodbye, ends) in ways {
      let fixture = try fixture(count, goodbye)
      let task = try fixture.task("/last")
      Self.receiveAll(task, fixture.recorder.log)
      let messages = (0..<count).map { SocketEvent.message("m\($0)") }
      #expect(try await fixture.events() == [.created, .open(nil)] + messages + ends)
    }
  }

  @Test func `a program that receives nothing hears of the end all the same, and the messages stay (B8)`() async throws
  {
    let fixture = try fixture(2, SocketFrame.close(1001).bytes)
    let task = try fixture.task("/last")
    #expect(try await fixture.events().last == .complete(nil))
    #expect(task.closeCode == .goingAway)
    #expect(await task.next() == "m0")
    #expect(await task.next() == "m1")
    #expect(await task.next() == "\(ENOTCONN)")
  }

  private func expectSystem(
    _ plain: NSError?, _ number: Int32, over code: URLError.Code, _ task: URLSessionTask,
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(plain?.domain == NSPOSIXErrorDomain && plain?.code == Int(number), sourceLocation: location)
    let url = plain?.userInfo[NSURLErrorFailingURLErrorKey] as? URL
    #expect(url == task.originalRequest?.url, sourceLocation: location)
    let beneath = plain?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(beneath?.domain == NSURLErrorDomain && beneath?.code == code.rawValue, sourceLocation: location)
  }
}
