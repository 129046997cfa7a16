// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import URLLoading

@Suite struct BodyBufferTests {
  @Test(arguments: [1, 14, 15, 100_000])
  func `what is taken gives its memory back, however few bytes are in a large chunk`(last: Int) async throws {
    // On a thread of its own: a buffer that waits for itself would hold up the other tests.
    let isRight = try await onThread {
      let buffer = BodyBuffer()
      var whole: [UInt8] = []
      for size in [100_000, last, 600_000, last] {
        let bytes = SeededBody(seed: UInt64(size)).bytes(0..<Int64(size))
        bytes.withUnsafeBytes { _ = buffer.append($0) }
        whole += bytes
        while let data = buffer.take(atMost: 512 * 1024).data {
          guard whole.starts(with: data) else { return false }
          whole.removeFirst(data.count)
        }
      }
      return whole.isEmpty && buffer.isEmpty
    }
    #expect(isRight)
  }

  @Test func `a limit cuts the front of a chunk off`() {
    let buffer = BodyBuffer()
    let bytes = SeededBody(seed: 1).bytes(0..<1000)
    bytes.withUnsafeBytes { _ = buffer.append($0) }
    var pieces: [Data] = []
    while let data = buffer.take(atMost: 300).data { pieces.append(data) }
    #expect(pieces.map(\.count) == [300, 300, 300, 100])
    #expect(pieces.reduce(Data(), +) == Data(bytes))
  }
}
