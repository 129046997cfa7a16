// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

/// Which thread takes the calls of a program's own protocols.
@Suite struct ProtocolShiftsTests {
  private typealias Shifts = ProtocolShifts<String>

  @Test func `one thread takes all calls in order`() {
    var shifts = Shifts()
    #expect(shifts.add("a") == (0, false), "it is free")
    #expect(shifts.add("b") == (0, true), "two wait")
    #expect(shifts.add("c") == (0, false), "somebody looks already")
    for call in ["a", "b", "c"] {
      #expect(shifts.next(0) == call)
      shifts.ended(0)
    }
    #expect(shifts.next(0) == nil && shifts.begun == 3)
    #expect(shifts.next(after: 3) == .rest)
  }

  @Test func `a call within another is one more that has begun`() {
    var shifts = Shifts()
    _ = shifts.add("outer")
    #expect(shifts.next(0) == "outer")
    #expect(shifts.add("inner") == (0, true), "the thread is busy")
    #expect(shifts.next(0) == "inner")
    _ = shifts.add("third")
    #expect(shifts.next(after: 1) == .wait, "one has begun since")
    #expect(shifts.next(after: 2) == .turn(to: 1))
  }

  @Test func `calls leave a thread that is stuck, and come back when it is free`() {
    var shifts = Shifts()
    _ = shifts.add("stuck")
    _ = shifts.next(0)
    _ = shifts.add("next")
    #expect(shifts.next(after: 1) == .turn(to: 1))
    #expect(shifts.next(1) == nil, "the new thread runs already")
    shifts.turn(to: 1)
    #expect(shifts.next(0) == nil && !shifts.hasCall(for: 0) && shifts.hasCall(for: 1), "it takes no more")
    #expect(shifts.next(1) == "next")
    shifts.add("stop", for: 0)
    #expect(shifts.next(1) == nil && shifts.next(0) == "stop", "what belongs to a thread stays there")
    shifts.ended(0)
    #expect(shifts.add("last") == (1, false))
    #expect(shifts.next(after: 2) == .turn(to: 2), "both are busy")
    shifts.ended(0)
    #expect(shifts.next(after: 2) == .turn(to: 0))
    shifts.turn(to: 0)
    #expect(shifts.next(0) == "last")
  }

  @Test func `a call without a thread is taken back, and threads have a limit`() {
    var shifts = Shifts()
    _ = shifts.add("a")
    shifts.takeBack()
    #expect(shifts.next(0) == nil)
    for number in 0..<Shifts.limit {
      _ = shifts.add("stuck")
      #expect(shifts.next(number) == "stuck")
      _ = shifts.add("next")
      let next = shifts.next(after: shifts.begun)
      #expect(next == (number + 1 < Shifts.limit ? .turn(to: number + 1) : .wait))
      shifts.takeBack()
      if case .turn(let other) = next { shifts.turn(to: other) }
    }
  }
}
