// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ServerParts

@Suite struct MD4Tests {
  @Test(arguments: [
    ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("abc", "a448017aaf21d8525fc10ae87aa6729d"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "e33b4ddc9c38f2199c3e7b164fcc0536"
    ),
  ])
  func `the digests of RFC 1320`(text: String, digest: String) {
    let hash = MD4.hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hash == digest)
  }
}
