// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

@Suite struct TallyTests {
  @Test func `pieces add up to the total, however many reports one delivery gathers`() {
    var tally = Tally()
    let arranged = [tally.reported(10, expected: 100), tally.reported(30, expected: 100)]
    #expect(arranged == [true, false])
    #expect(tally.take() == Tally.Piece(bytes: 30, total: 30, expected: 100))
    #expect(tally.take() == nil)
    _ = tally.reported(100, expected: 100)
    #expect(tally.take() == Tally.Piece(bytes: 70, total: 100, expected: 100))
  }

  @Test func `the same total is told once`() {
    var tally = Tally()
    _ = tally.reported(10, expected: -1)
    _ = tally.take()
    let isArranged = tally.reported(10, expected: -1)
    #expect(!isArranged)
  }

  @Test func `a body that is sent again counts from zero`() {
    var tally = Tally()
    _ = tally.reported(50, expected: 50)
    _ = tally.take()
    let isArranged = tally.reported(20, expected: 50)
    #expect(isArranged)
    #expect(tally.take() == Tally.Piece(bytes: 20, total: 20, expected: 50))
  }
}
