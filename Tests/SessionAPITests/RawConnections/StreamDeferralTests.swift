// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SessionAPI

/// How a stream goes over to TLS (B.8): decisions of `StreamMachine` alone.
@Suite struct StreamDeferralTests {
  private typealias Machines = StreamMachineTests

  @Test func `TLS begins as soon as the connection stands and nothing waits, once`() {
    var machine = StreamMachine()
    #expect(machine.secure() == [] && machine.secure() == [])
    #expect(machine.write(1, [1]) == [])
    #expect(machine.opened() == [.secure])
    #expect(machine.secure() == [])
    #expect(machine.secured() == [.write([1])])
    #expect(machine.secure() == [])
    #expect(machine.wrote(1) == [.wrote(1)])
  }

  @Test func `what came before is answered first, what comes behind waits and keeps its order`() {
    var machine = StreamMachine()
    _ = machine.write(1, [1])
    _ = machine.read(2, minimum: 2, maximum: 2)
    #expect(machine.secure() == [])
    #expect(machine.write(3, [3]) == [])
    #expect(machine.read(4, minimum: 1, maximum: 1) == [])
    #expect(machine.closeWrite() == [] && machine.closeRead() == [] && machine.capture() == [])
    #expect(machine.opened() == [.write([1])])
    #expect(machine.wrote(1) == [.wrote(1)])
    #expect(Machines.arrive("go", &machine) == [Machines.read(2, "go"), .secure])
    #expect(machine.secured() == [.write([3]), .endSending])
    #expect(machine.wrote(2) == [.wrote(3), .writeClosed])
    #expect(Machines.arrive("s", &machine) == [Machines.read(4, "s"), .readClosed, .finish])
  }

  @Test func `TLS cannot begin over bytes that nobody has read, nor with a side that is over`() {
    var spoken = Machines.makeOpen()
    _ = Machines.arrive("220 hello", &spoken)
    #expect(spoken.secure() == [.refuseSecurity])
    var ended = Machines.makeOpen()
    _ = ended.inputEnded()
    #expect(ended.secure() == [.refuseSecurity])
    var closed = Machines.makeOpen()
    _ = closed.closeWrite()
    #expect(closed.secure() == [.refuseSecurity])
    var deaf = Machines.makeOpen()
    _ = deaf.closeRead()
    #expect(deaf.secure() == [.refuseSecurity])
    var late = Machines.makeOpen()
    _ = late.read(1, minimum: 1, maximum: 1)
    #expect(late.secure() == [])
    #expect(late.timedOut(1) == [.fail(1, .timedOut), .refuseSecurity])
  }

  @Test func `a call that waits for TLS may take too long, and its side has failed then`() {
    var machine = Machines.makeOpen()
    #expect(machine.secure() == [.secure])
    _ = machine.read(1, minimum: 1, maximum: 1)
    _ = machine.write(2, [2])
    _ = machine.write(3, [3])
    #expect(machine.timedOut(3) == [.fail(2, .timedOut), .fail(3, .timedOut)])
    #expect(machine.write(4, [4]) == [])
    #expect(machine.secured() == [.fail(4, .timedOut)])
    #expect(Machines.arrive("a", &machine) == [Machines.read(1, "a")])
  }

  @Test func `the end of the task fails what waits for TLS, once, and what comes later at once`() {
    var machine = Machines.makeOpen()
    #expect(machine.secure() == [.secure])
    _ = machine.write(1, [1])
    _ = machine.read(2, minimum: 1, maximum: 1)
    _ = machine.closeWrite()
    #expect(machine.ended() == [.fail(1, .ended), .fail(2, .ended)])
    #expect(machine.ended() == [] && machine.secure() == [])
    #expect(machine.read(3, minimum: 1, maximum: 1) == [.fail(3, .ended)])
    #expect(machine.write(4, [1]) == [.fail(4, .ended)])
  }

  @Test func `a body is as it is, and so are captured streams`() {
    var body = StreamMachine(isReadOnly: true)
    _ = body.opened()
    #expect(body.secure() == [])
    #expect(body.read(1, minimum: 1, maximum: 1) == [])
    #expect(Machines.arrive("a", &body) == [Machines.read(1, "a")])
    var captured = Machines.makeOpen()
    _ = captured.read(1, minimum: 1, maximum: 1)
    #expect(captured.capture() == [] && captured.secure() == [])
  }
}
