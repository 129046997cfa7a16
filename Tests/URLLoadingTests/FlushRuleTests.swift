// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

@Suite struct FlushRuleTests {
  @Test func `a byte waits 50 ms at most`() {
    #expect(FlushRule.interval * FlushRule.longestWait == .milliseconds(50))
  }

  @Test func `what came is written at the first look that finds nothing new`() {
    var rule = FlushRule()
    #expect(rule.arrived() == true)
    #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .flush)
    #expect(rule.arrived() == true)
    #expect(rule.arrived() == false)
    #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .lookAgain)
    #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .flush)
  }

  @Test func `a body that never falls silent is written at the fifth look`() {
    var rule = FlushRule()
    #expect(rule.arrived() == true)
    for _ in 1..<FlushRule.longestWait {
      #expect(rule.arrived() == false)
      #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .lookAgain)
    }
    #expect(rule.arrived() == false)
    #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .flush)
  }

  @Test func `a body that fills its pieces is never written in part`() {
    var rule = FlushRule()
    #expect(rule.arrived() == true)
    for _ in 0..<100 {
      rule.handedOver()
      #expect(rule.arrived() == false)
      #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .lookAgain)
    }
  }

  @Test func `a short silence of a fast body is waited out, a long one is not`() {
    var rule = FlushRule()
    #expect(rule.arrived() == true)
    rule.handedOver()
    #expect(rule.arrived() == false)
    for _ in 1..<FlushRule.longestWait {
      #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .lookAgain)
    }
    #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .flush)
    #expect(rule.arrived() == true)
    #expect(rule.looked(hasBytes: true, isDiskBusy: false) == .flush)
  }

  @Test func `nobody looks while nothing waits`() {
    var rule = FlushRule()
    #expect(rule.arrived() == true)
    rule.handedOver()
    #expect(rule.looked(hasBytes: false, isDiskBusy: false) == .rest)
    #expect(rule.arrived() == true)
  }

  @Test func `a busy disk is waited for, and only for a piece that is overdue`() {
    var rule = FlushRule()
    #expect(rule.diskIsFree() == false)
    #expect(rule.arrived() == true)
    #expect(rule.diskIsFree() == false)
    #expect(rule.looked(hasBytes: true, isDiskBusy: true) == .rest)
    #expect(rule.arrived() == false)
    #expect(rule.diskIsFree() == true)
    #expect(rule.arrived() == true)
    #expect(rule.looked(hasBytes: true, isDiskBusy: true) == .rest)
    rule.handedOver()
    #expect(rule.diskIsFree() == false)
    #expect(rule.arrived() == true)
  }
}
