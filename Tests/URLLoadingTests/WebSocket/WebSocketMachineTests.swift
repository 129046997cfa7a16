// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import HTTPRules
@testable import URLLoading

@Suite(.exitTests) struct WebSocketMachineTests {
  typealias Action = WebSocketMachine.Action

  /// A client's frame with the mask 0.
  static func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8] = []) -> [UInt8] {
    WebSocketWriter.frame(opcode, Data(payload), mask: 0)
  }

  static func makeOpen() -> WebSocketMachine {
    var machine = WebSocketMachine(mask: { 0 })
    _ = machine.opened()
    return machine
  }

  static func arrive(_ bytes: [UInt8], _ machine: inout WebSocketMachine) -> [Action] {
    bytes.withUnsafeBytes { machine.arrived($0) }
  }

  /// A server's frame with at most 125 bytes.
  static func server(_ opcode: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    [0x80 | opcode, UInt8(payload.count)] + payload
  }

  @Test func `what is sent early waits for the opening, in order`() {
    var machine = WebSocketMachine(mask: { 0 })
    #expect(machine.send(.text("a"), 1) == [])
    #expect(machine.ping(2) == [])
    let ping = Self.frame(.ping)
    #expect(machine.opened() == [.write(Self.frame(.text, [97])), .write(ping)])
    #expect(machine.wrote(6) == [])
    #expect(machine.wrote(7) == [.sent(1)])
    #expect(Self.arrive(Self.server(10), &machine) == [.pong(2)])
  }

  @Test func `one message is received for each call`() {
    var machine = Self.makeOpen()
    #expect(machine.receive(1) == [])
    #expect(Self.arrive(Self.server(1, [97]) + Self.server(2, [1]), &machine) == [.deliver(1, .text("a"))])
    #expect(machine.receive(2) == [.deliver(2, .binary(Data([1])))])
    #expect(machine.receive(3) == [])
  }

  /// In a process of its own, for its processor time (clock(3)).
  @Test(.enabled(if: !TestMachine.isSanitized))
  func `twice as many waiting calls cost at most 2.3 of the processor time`() async {
    await #expect(processExitsWith: .success) {
      func time(_ count: Int) -> clock_t {
        let start = clock()
        var machine = WebSocketMachineTests.makeOpen()
        for number in 0..<count { _ = machine.receive(number) }
        let messages = Array(repeatElement(WebSocketMachineTests.server(2, [1]), count: 100).joined())
        for _ in 0..<count / 100 { _ = WebSocketMachineTests.arrive(messages, &machine) }
        #expect(machine.receives.isEmpty)
        return clock() - start
      }
      // By turns, and small enough for caches that other tests share.
      var (half, whole) = (clock_t.max, clock_t.max)
      for _ in 0..<12 { (half, whole) = (min(half, time(10_000)), min(whole, time(20_000))) }
      #expect(Double(whole) <= 2.3 * Double(half), "\(half) \(whole)")
    }
  }

  @Test func `a full inbox holds the server back until it is read`() {
    var machine = Self.makeOpen()
    machine.maximumMessageSize = 100
    #expect(Self.arrive(Self.server(2, [1]), &machine) == [])
    #expect(Self.arrive(Self.server(2, [2]), &machine) == [.hold])
    #expect(machine.receive(1) == [.deliver(1, .binary(Data([1]))), .resume])
  }

  @Test func `a pong answers its ping and those before, and no other`() {
    var machine = Self.makeOpen()
    for number in 1...3 { _ = machine.ping(number) }
    #expect(Self.arrive(Self.server(10, [9]), &machine) == [])
    #expect(Self.arrive(Self.server(10, [0, 0, 0, 2]), &machine) == [.pong(1), .pong(2)])
    #expect(Self.arrive(Self.server(10, [0, 0, 0, 2]), &machine) == [])
    #expect(Self.arrive(Self.server(10, [0, 0, 0, 3]), &machine) == [.pong(3)])
    // One at a time is empty, as simple servers want it.
    for number in 4...5 {
      #expect(machine.ping(number) == [.write(Self.frame(.ping))])
      #expect(Self.arrive(Self.server(10), &machine) == [.pong(number)])
    }
  }

  @Test func `a flood of pings is answered by the last when nothing can be sent`() {
    var machine = Self.makeOpen()
    _ = machine.send(.binary(Data(count: 100_000)), 1)
    #expect(Self.arrive(Self.server(9, [1]) + Self.server(9, [2]), &machine) == [])
    #expect(machine.wrote(100_014) == [.sent(1), .write(Self.frame(.pong, [2]))])
  }

  @Test func `the server closes: its frame is answered and the end is in order`() {
    var machine = Self.makeOpen()
    _ = machine.receive(1)
    _ = Self.arrive(Self.server(1, [97]) + Self.server(1, [98]), &machine)
    let close = Self.server(8, [3, 232])
    let answer = Self.frame(.close, [3, 232])
    #expect(
      Self.arrive(close, &machine)
        == [.closed(WebSocketClose(code: 1000)), .write(answer), .wait(WebSocketMachine.failingTimeLimit)])
    #expect(machine.wrote(Int64(answer.count)) == [.finish(nil)])
    #expect(machine.ended(nil) == [])
    #expect(machine.receive(2) == [.deliver(2, .text("b"))])
    #expect(machine.receive(3) == [.fail(3, .closed)])
    #expect(machine.send(.text("c"), 4) == [.fail(4, .closed)])
  }

  @Test func `the user closes: what the server sends then is dropped but for its close frame`() {
    var machine = Self.makeOpen()
    _ = machine.receive(1)
    let frame = Self.frame(.close, [3, 233])
    #expect(
      machine.close(WebSocketClose(code: 1001))
        == [.write(frame), .resume, .wait(WebSocketMachine.closingTimeLimit)])
    #expect(machine.close(WebSocketClose(code: 1000)) == [])
    #expect(machine.send(.text("late"), 2) == [.fail(2, .closed)])
    #expect(Self.arrive(Self.server(1, [97]), &machine) == [])
    #expect(
      Self.arrive(Self.server(8, [3, 233]), &machine) == [.closed(WebSocketClose(code: 1001)), .finish(nil)])
    #expect(machine.ended(nil) == [.fail(1, .closed)])
    #expect(machine.ended(nil) == [])
  }

  @Test func `a server that ends the connection in place of answering a close frame has closed it, too`() {
    var machine = Self.makeOpen()
    let close = WebSocketClose(code: 1001, reason: Data([97]))
    _ = machine.close(close)
    var lost = machine
    #expect(machine.inputEnded() == [.closed(close), .finish(nil)])
    #expect(machine.ended(nil) == [])
    #expect(lost.isOverByEnd)
    #expect(lost.ended(nil) == [.closed(close)])
    #expect(lost.ended(nil) == [])
  }

  @Test func `the server's own close frame takes the place of the farewell`() {
    var machine = Self.makeOpen()
    _ = machine.close(WebSocketClose(code: 1001))
    let answer = WebSocketClose(code: 1000)
    #expect(Self.arrive(Self.server(8, [3, 232]), &machine) == [.closed(answer), .finish(nil)])
    #expect(!machine.isOverByEnd)
    #expect(machine.ended(nil) == [])
  }

  @Test func `a cancel after a farewell is no server's end`() {
    var machine = Self.makeOpen()
    _ = machine.close(WebSocketClose(code: 1001))
    #expect(machine.cancel() == [.finish(.cancelled)])
    #expect(machine.ended(.cancelled) == [])
  }

  @Test func `a server that does not answer a close frame is left`() {
    var machine = Self.makeOpen()
    _ = machine.close(WebSocketClose(code: 1000))
    #expect(machine.waitedLongEnough() == [.finish(.cancelled)])
  }

  @Test func `a cancel says farewell and waits for nothing`() {
    var machine = Self.makeOpen()
    _ = machine.receive(1)
    #expect(machine.cancel() == [.write(Self.frame(.close)), .finish(.cancelled)])
    #expect(machine.ended(.cancelled) == [.fail(1, .cancelled)])
    #expect(machine.cancel() == [.finish(.cancelled)])
  }

  @Test func `a violation is told to the server, and ends every call`() {
    var machine = Self.makeOpen()
    machine.maximumMessageSize = 3
    _ = machine.receive(1)
    _ = machine.ping(2)
    let actions = Self.arrive(Self.server(2, [1, 2, 3, 4]), &machine)
    let failure = WebSocketMachine.Failure.tooLarge("The server's message has more than 3 bytes.")
    #expect(
      actions == [
        .write(Self.frame(.close, [3, 241])), .fail(2, failure), .fail(1, failure),
        .wait(WebSocketMachine.failingTimeLimit),
      ])
    #expect(machine.receive(3) == [.fail(3, failure)])
    #expect(Self.arrive(Self.server(8, [3, 241]), &machine) == [])
    #expect(machine.inputEnded() == [.finish(failure)])
  }

  @Test func `a lost connection fails what waits, once`() {
    var machine = Self.makeOpen()
    _ = machine.send(.text("a"), 1)
    _ = machine.receive(2)
    #expect(Self.arrive(Self.server(1, [97]).dropLast(1), &machine) == [])
    #expect(machine.inputEnded() == [.finish(.lost)])
    #expect(machine.ended(.lost) == [.fail(1, .lost), .fail(2, .lost)])
    #expect(machine.ended(.lost) == [])
    #expect(machine.receive(3) == [.fail(3, .lost)])
  }

  @Test func `a server that ends in order between two messages has closed, and what waits fails all the same`() {
    var machine = Self.makeOpen()
    _ = machine.receive(1)
    #expect(machine.inputEnded() == [.closed(WebSocketClose(code: 1000)), .finish(.lost)])
    #expect(machine.ended(.lost) == [.fail(1, .lost)])
  }
}
