// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

@Suite struct DamageDigestTests {
  @Test func `a digest is that of FNV-1a, whole or in pieces`() {
    #expect(DamageDigest.of(Data("a".utf8)) == 0xaf63_dc4c_8601_ec8c)
    #expect(DamageDigest.of(Data("b".utf8), after: DamageDigest.of(Data("a".utf8))) == DamageDigest.of(Data("ab".utf8)))
    #expect(DamageDigest.of(Data()) == DamageDigest.empty)
  }
}
