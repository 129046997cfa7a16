// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Testing

@Suite struct BodyChecksumTests {
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("The quick brown fox jumps over the lazy dog", 0x0B24_2D36_1FDA_71BC),
    ] as [(String, UInt64)])
  func `it is XXH64 with seed 0`(_ text: String, _ expected: UInt64) {
    #expect(BodyChecksum(of: text.utf8).value == expected)
  }

  @Test func `it does not depend on how the stream is cut`() {
    let bytes = SeededBody(seed: 3).bytes(0..<1000)
    let whole = BodyChecksum(of: bytes).value
    for size in [1, 3, 7, 31, 32, 33, 64, 100, 999] {
      var sum = BodyChecksum()
      for start in stride(from: 0, to: bytes.count, by: size) {
        sum.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(sum.value == whole)
      #expect(sum.count == 1000)
    }
  }

  @Test func `misaligned memory gives the same sum`() {
    let bytes = SeededBody(seed: 4).bytes(0..<50_000)
    let shifted = [0] + bytes
    var sum = BodyChecksum()
    shifted.withUnsafeBytes { sum.update(UnsafeRawBufferPointer(rebasing: $0[1...])) }
    #expect(sum.value == BodyChecksum(of: bytes).value)
  }

  @Test func `swapped, zeroed and dropped pieces change it`() {
    let bytes = SeededBody(seed: 1).bytes(0..<4 << 20)
    let sum = BodyChecksum(of: bytes).value
    let mebibyte = 1 << 20
    var swapped = bytes
    swapped.replaceSubrange(0..<mebibyte, with: bytes[mebibyte..<2 * mebibyte])
    swapped.replaceSubrange(mebibyte..<2 * mebibyte, with: bytes[0..<mebibyte])
    #expect(BodyChecksum(of: swapped).value != sum)
    var zeroed = bytes
    zeroed.replaceSubrange(100..<4196, with: repeatElement(0, count: 4096))
    #expect(BodyChecksum(of: zeroed).value != sum)
    #expect(BodyChecksum(of: bytes.dropFirst(64 << 10)).value != sum)
    #expect(BodyChecksum(of: bytes.dropLast()).value != sum)
  }
}
