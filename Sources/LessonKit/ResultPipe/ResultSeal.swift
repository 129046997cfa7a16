// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Glibc

/// Tells the lines that the measuring sends from those that a program writes into the same pipe.
///
/// Problem: a program runs in the process that measures it and finds every descriptor there, so it could send figures of its
/// own. Choice: each run has a key that nothing else knows. The child reads it from standard input before the program
/// starts (arguments and environment can be read by the program), and puts in front of each line its HMAC-SHA256 (RFC 2104)
/// under that key. Reading sealed lines back from the pipe does not tell the key.
///
/// The risk that remains: a program that searches its own memory can find the key, as it can change the figures themselves.
struct ResultSeal: Sendable {
  /// Bytes of a key and of a tag.
  private static let size = 32
  private static let digits = Array("0123456789abcdef".utf8)

  private let key: [UInt8]

  /// A seal with a new key.
  init() {
    var source = SystemRandomNumberGenerator()
    key = (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }

  /// The key as the child reads it: a line of hexadecimal digits.
  var keyLine: [UInt8] { Self.text(of: key) + [UInt8(ascii: "\n")] }

  /// Reads the key's line; nil where the descriptor holds none.
  init?(readingFrom descriptor: Int32) {
    let key = withUnsafeTemporaryAllocation(byteCount: 2 * Self.size + 1, alignment: 1) { line -> [UInt8]? in
      defer { if let start = line.baseAddress { explicit_bzero(start, line.count) } }
      var count = 0
      while count < line.count {
        let size = read(descriptor, line.baseAddress?.advanced(by: count), line.count - count)
        if size < 0, errno == EINTR { continue }
        guard size > 0 else { return nil }
        count += size
      }
      guard line.last == UInt8(ascii: "\n") else { return nil }
      return Self.bytes(of: line.dropLast())
    }
    guard let key else { return nil }
    self.key = key
  }

  /// The line with its tag in front; it holds no line feed.
  func sealed(_ line: some Collection<UInt8>) -> [UInt8] {
    let line = Array(line)
    return Self.text(of: tag(of: line)) + [UInt8(ascii: " ")] + line
  }

  /// Returns the content behind the tag, or nil where the tag is not this line's.
  func opened(_ line: some Collection<UInt8>) -> [UInt8]? {
    let content = Array(line.dropFirst(2 * Self.size + 1))
    return line.elementsEqual(sealed(content)) ? content : nil
  }

  private func tag(of bytes: [UInt8]) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &tag, &count)
    return Array(tag.prefix(Int(count)))
  }

  private static func text(of bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  private static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    let values = text.compactMap { digits.firstIndex(of: $0) }
    guard values.count == 2 * size else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
