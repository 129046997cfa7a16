// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

@Suite struct CollectingLimitTests {
  @Test func `half of the least memory, or what was asked for`() {
    #expect(CollectingLimit.bytes(asked: nil, memory: [1000, 600, 800]) == 300)
    #expect(CollectingLimit.bytes(asked: "7", memory: [1000]) == 7)
    for asked in ["", "x", "0", "-1", "1e3", "99999999999999999999"] {
      #expect(CollectingLimit.bytes(asked: asked, memory: [1000]) == 500)
    }
    #expect(CollectingLimit.bytes(asked: nil, memory: [0, -4096]) == .max / 2)
    #expect(CollectingLimit.bytes > 1 << 20)
  }

  @Test func `the beginning of the process is found behind any name`() {
    let rest = (3...30).map { "\($0)" }.joined(separator: " ")
    #expect(ProcessBeginning.ticks(in: "1 (a) b 7) \(rest)") == 22)
    #expect(ProcessBeginning.ticks(in: "1 (a) 3 4") == nil)
    #expect(ProcessBeginning.ticks(in: "") == nil)
    #expect((ProcessBeginning.seconds ?? 0) > 1_700_000_000)
  }
}
