// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import SessionAPI

@Suite(.exitTests) struct StreamMachineTests {
  typealias Action = StreamMachine.Action

  static func makeOpen() -> StreamMachine {
    var machine = StreamMachine()
    _ = machine.opened()
    return machine
  }

  static func arrive(_ text: String, _ machine: inout StreamMachine) -> [Action] {
    Data(text.utf8).withUnsafeBytes { machine.arrived($0) }
  }

  static func read(_ number: Int, _ text: String, atEOF: Bool = false) -> Action {
    .read(number, Data(text.utf8), atEOF: atEOF)
  }

  @Test func `what is written early waits for the connection, and so does the end`() {
    var machine = StreamMachine()
    #expect(machine.write(1, [1, 2]) == [])
    #expect(machine.write(2, []) == [])
    #expect(machine.closeWrite() == [])
    #expect(machine.write(3, [3]) == [.fail(3, .closed)])
    #expect(machine.opened() == [.write([1, 2]), .endSending])
    #expect(machine.wrote(1) == [])
    #expect(machine.wrote(2) == [.wrote(1), .wrote(2), .writeClosed])
  }

  @Test func `reads are answered in order, within their bounds`() {
    var machine = Self.makeOpen()
    #expect(machine.read(1, minimum: 2, maximum: 3) == [])
    #expect(machine.read(2, minimum: 1, maximum: 9) == [])
    #expect(Self.arrive("a", &machine) == [])
    #expect(Self.arrive("bcd", &machine) == [Self.read(1, "abc"), Self.read(2, "d")])
    #expect(Self.arrive("ef", &machine) == [])
    #expect(machine.read(3, minimum: 0, maximum: 1) == [Self.read(3, "e")])
    #expect(machine.read(4, minimum: 5, maximum: 1) == [Self.read(4, "f")])
  }

  @Test func `the end comes behind the last byte, and again for whoever asks again`() {
    var machine = Self.makeOpen()
    _ = machine.read(1, minimum: 10, maximum: 10)
    #expect(Self.arrive("abc", &machine) == [])
    #expect(machine.inputEnded() == [Self.read(1, "abc", atEOF: true), .readClosed])
    #expect(machine.read(2, minimum: 1, maximum: 1) == [Self.read(2, "", atEOF: true)])
    #expect(machine.closeWrite() == [.endSending, .writeClosed, .finish])
    #expect(machine.ended() == [])
    #expect(machine.read(3, minimum: 1, maximum: 1) == [.fail(3, .ended)])
  }

  @Test func `a stream is not over before its end was read`() {
    var machine = Self.makeOpen()
    _ = Self.arrive("ab", &machine)
    #expect(machine.inputEnded() == [.readClosed])
    #expect(machine.closeWrite() == [.endSending, .writeClosed])
    #expect(machine.read(1, minimum: 1, maximum: 1) == [Self.read(1, "a")])
    #expect(machine.read(2, minimum: 1, maximum: 1) == [Self.read(2, "b", atEOF: true), .finish])
  }

  @Test func `closing the reading side waits for its reads and drops the rest`() {
    var machine = Self.makeOpen()
    _ = machine.read(1, minimum: 2, maximum: 2)
    #expect(machine.closeRead() == [])
    #expect(machine.closeRead() == [])
    #expect(machine.read(2, minimum: 1, maximum: 1) == [.fail(2, .closed)])
    #expect(Self.arrive("abc", &machine) == [Self.read(1, "ab"), .readClosed])
    #expect(Self.arrive("more", &machine) == [])
    #expect(machine.inputEnded() == [])
    #expect(machine.closeWrite() == [.endSending, .writeClosed, .finish])
  }

  @Test func `a full input holds the peer back until it is read`() {
    var machine = Self.makeOpen()
    let many = [UInt8](repeating: 0, count: StreamReads.limit)
    #expect(many.withUnsafeBytes { machine.arrived($0) } == [.hold])
    #expect(machine.read(1, minimum: 1, maximum: 1).last == .resume)
    #expect(machine.read(2, minimum: 2 * StreamReads.limit, maximum: .max) == [])
    #expect(many.withUnsafeBytes { machine.arrived($0) } == [])
    #expect(machine.closeRead() == [])
  }

  @Test func `a time-out is final for its side alone`() {
    var machine = Self.makeOpen()
    _ = machine.read(1, minimum: 1, maximum: 1)
    _ = machine.read(2, minimum: 1, maximum: 1)
    _ = machine.write(3, [1])
    #expect(machine.timedOut(1) == [.fail(1, .timedOut), .fail(2, .timedOut)])
    #expect(machine.timedOut(1) == [])
    #expect(machine.read(4, minimum: 1, maximum: 1) == [.fail(4, .timedOut)])
    #expect(machine.wrote(1) == [.wrote(3)])
    _ = machine.write(5, [1])
    #expect(machine.timedOut(5) == [.fail(5, .timedOut), .finish])
    #expect(machine.write(6, [1]) == [.fail(6, .timedOut)])
  }

  @Test(.enabled(if: !TestMachine.isSanitized))
  func `what was read stays in memory no longer, though something always waits`() async {
    // In a process of its own, whose memory is its own.
    await #expect(processExitsWith: .success) {
      var machine = Self.makeOpen()
      let piece = [UInt8](repeating: 1, count: 64 << 10)
      _ = piece.withUnsafeBytes { machine.arrived($0) }
      let before = ProcessUsage.resident
      for number in 0..<2000 {
        _ = piece.withUnsafeBytes { machine.arrived($0) }
        let actions = machine.read(number, minimum: 1, maximum: piece.count)
        #expect(actions.count == 1)
      }
      #expect(ProcessUsage.resident - before < 16 << 20)
    }
  }

  @Test func `streams take over once what waits is answered and sent, and get what nobody read`() {
    var machine = Self.makeOpen()
    _ = machine.read(1, minimum: 2, maximum: 2)
    _ = machine.write(2, [1, 2])
    #expect(machine.capture() == [] && machine.capture() == [])
    #expect(machine.read(3, minimum: 1, maximum: 1) == [.fail(3, .captured)])
    #expect(machine.write(4, [3]) == [.fail(4, .captured)])
    #expect(machine.closeRead() == [] && machine.closeWrite() == [])
    #expect(machine.wrote(2) == [.wrote(2)])
    let captured = StreamMachine.Captured(rest: Data("c".utf8), written: 2)
    #expect(Self.arrive("abc", &machine) == [Self.read(1, "ab"), .capture(captured)])
    #expect(machine.ended() == [])
  }

  @Test func `capturing waits for the connection, and knows what is over already`() {
    var machine = StreamMachine()
    #expect(machine.closeWrite() == [] && machine.capture() == [])
    let closed = StreamMachine.Captured(isOutputOver: true)
    #expect(machine.opened() == [.endSending, .writeClosed, .capture(closed)])
    var failed = Self.makeOpen()
    _ = failed.read(1, minimum: 1, maximum: 1)
    #expect(failed.capture() == [])
    #expect(failed.timedOut(1) == [.fail(1, .timedOut), .capture(StreamMachine.Captured(readFailure: .timedOut))])
    var ended = Self.makeOpen()
    _ = Self.arrive("a", &ended)
    _ = ended.inputEnded()
    #expect(ended.capture() == [.capture(StreamMachine.Captured(rest: Data("a".utf8), isInputOver: true))])
  }

  @Test func `a stream whose both sides are over ends, though it was to be captured`() {
    var machine = StreamMachine()
    _ = machine.closeRead()
    _ = machine.closeWrite()
    #expect(machine.capture() == [])
    #expect(machine.opened() == [.endSending, .writeClosed, .finish])
    var gone = Self.makeOpen()
    _ = gone.read(1, minimum: 1, maximum: 1)
    _ = gone.capture()
    #expect(gone.ended() == [.fail(1, .ended)])
  }

  @Test func `the end of the task fails what waits, once`() {
    var machine = Self.makeOpen()
    _ = machine.read(1, minimum: 2, maximum: 2)
    _ = machine.write(2, [1])
    _ = Self.arrive("a", &machine)
    #expect(machine.ended() == [.fail(2, .ended), .fail(1, .ended)])
    #expect(machine.ended() == [])
    #expect(machine.closeRead() == [] && machine.closeWrite() == [])
  }
}
