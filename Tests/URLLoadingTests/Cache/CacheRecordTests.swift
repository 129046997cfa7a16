// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import URLLoading

@Suite struct CacheRecordTests {
  @Test func `a record survives the user info, and damage to it is no record`() {
    let record = CacheRecord(requested: 1, received: 2, selectors: ["x": .max], digest: .max)
    let info = record.added(to: ["mine": 1])
    #expect(CacheRecord(userInfo: info) == record)
    #expect(info["mine"] as? Int == 1)
    let text = Array((info[CacheRecord.key] as? String ?? "").utf8)
    var read = 0
    for place in text.indices {
      var bytes = text
      bytes[place] ^= 0x11
      _ = CacheRecord(userInfo: [CacheRecord.key: String(decoding: bytes, as: UTF8.self)])
      if CacheRecord(userInfo: [CacheRecord.key: String(decoding: text[..<place], as: UTF8.self)]) != nil { read += 1 }
    }
    #expect(read == 0)
  }
}
