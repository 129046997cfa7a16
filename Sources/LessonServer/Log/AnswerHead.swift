// SPDX-License-Identifier: Apache-2.0

/// The head of an answer, picked out of the bytes that a connection sends for a request, whatever script writes them.
struct AnswerHead: Sendable {
  private static let most = 16 << 10
  private static let end: [[UInt8]] = [[13, 10, 13, 10], [10, 10]]

  /// The bytes so far: once all have come, status line and field lines with the empty line; none of what is no head.
  private(set) var bytes: [UInt8] = []
  private var isDone = false

  /// Takes the next bytes that were sent. An interim head (RFC 9110 section 15.2) but 101 is passed over.
  mutating func take(_ sent: UnsafeRawBufferPointer) {
    guard !isDone else { return }
    bytes += sent.prefix(Self.most - bytes.count)
    while let end = Self.end.compactMap({ bytes.firstRange(of: $0)?.upperBound }).min() {
      let line = bytes.prefix(12)
      guard line.count == 12, line.starts(with: "HTTP/1.".utf8) else { return finish([]) }
      guard line[9] == UInt8(ascii: "1"), !line.hasSuffix("101") else { return finish(Array(bytes[..<end])) }
      bytes.removeFirst(end)
    }
    if bytes.count == Self.most { finish([]) }
  }

  /// The head as far as it is known when the answer has ended.
  var whole: [UInt8] { isDone ? bytes : [] }

  private mutating func finish(_ head: [UInt8]) { (bytes, isDone) = (head, true) }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
