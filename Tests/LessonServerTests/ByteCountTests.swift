// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Testing

@Suite struct ByteCountTests {
  @Test(
    arguments: [
      ("0", 0), ("10", 10), ("10B", 10), ("64KiB", 65_536), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824),
    ] as [(String, Int64)])
  func `sizes are read in powers of 1,024`(_ text: String, _ bytes: Int64) throws {
    #expect(try ByteCount(parsing: text).bytes == bytes)
  }

  @Test(arguments: ["", "MiB", "-1", "+5", "1.5GiB", "64 MiB", "64MB", "99999999999999999999", "9000000000GiB"])
  func `what is not a size is refused by name`(_ text: String) {
    let error = #expect(throws: LessonServerError.self) { try ByteCount(parsing: text) }
    #expect(error?.code == .invalidByteCount)
    #expect(
      error?.description
        == "\"\(text)\" is not a size. Write a whole number of bytes such as 10, or 64KiB, 64MiB, 1GiB.")
  }

  @Test func `it prints the shortest exact spelling`() {
    #expect([0, 10, 1024, 1536, 1 << 30].map { ByteCount($0).description } == ["0", "10", "1KiB", "1536", "1GiB"])
  }
}
