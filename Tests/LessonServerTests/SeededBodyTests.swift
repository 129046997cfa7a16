// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Testing

@Suite struct SeededBodyTests {
  @Test func `any range equals the same range of the whole`() {
    let body = SeededBody(seed: 9)
    let whole = body.bytes(0..<400_000)
    for range in [0..<1, 65_535..<65_537, 65_536..<131_072, 1..<399_999, 131_071..<300_000] {
      #expect(body.bytes(Int64(range.lowerBound)..<Int64(range.upperBound)) == Array(whole[range]))
    }
  }

  @Test func `seeds differ and a seed stays the same`() {
    #expect(SeededBody(seed: 1).bytes(0..<100) != SeededBody(seed: 2).bytes(0..<100))
    let first = SeededBody(seed: 1).bytes(5_000_000..<5_000_100)
    for seed in 10..<30 { _ = SeededBody(seed: UInt64(seed)) }
    #expect(SeededBody(seed: 1).bytes(5_000_000..<5_000_100) == first)
  }

  @Test func `no two blocks of a gibibyte's start are alike`() {
    let body = SeededBody(seed: 1)
    var seen: Set<[UInt8]> = []
    for block in 0..<2000 { seen.insert(body.bytes(Int64(block) * 65_536..<Int64(block) * 65_536 + 64)) }
    #expect(seen.count == 2000)
  }

  @Test func `the expected checksum is the checksum of the bytes`() {
    let bytes = SeededBody(seed: 5).bytes(0..<1_000_001)
    #expect(SeededBody.checksum(seed: 5, size: 1_000_001) == BodyChecksum(of: bytes).value)
    #expect(SeededBody.checksum(seed: 5, range: 7..<99_999) == BodyChecksum(of: bytes[7..<99_999]).value)
    #expect(SeededBody.checksum(seed: 5, size: 0) == BodyChecksum().value)
  }
}
