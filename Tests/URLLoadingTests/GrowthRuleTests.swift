// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

@Suite struct GrowthRuleTests {
  private static let taken: [(decoded: Int64, sent: Int64)] = [
    (1 << 30, 1 << 30), (64 << 20, 1), (65 << 20, 1 << 20), (100 << 30, 1 << 30), (0, 0),
  ]
  private static let refused: [(decoded: Int64, sent: Int64)] = [
    (65 << 20, 1 << 16), (200 << 20, 200 << 10), (.max, 1), (.max, 0),
  ]

  @Test func `small, or no denser than data is: taken`() {
    for body in Self.taken { #expect(!GrowthRule.isBomb(decoded: body.decoded, sent: body.sent), "\(body)") }
  }

  @Test func `large and dense: refused`() {
    for body in Self.refused { #expect(GrowthRule.isBomb(decoded: body.decoded, sent: body.sent), "\(body)") }
  }
}
