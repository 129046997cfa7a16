// SPDX-License-Identifier: Apache-2.0

/// The head of an answer, picked out of the bytes that a connection sends for a request, whatever script writes them.
///
/// While bytes are sent they are only kept: a search between two of them would change what a client sees of their times.
struct AnswerHead: Sendable {
  private static let most = 16 << 10
  private static let end: [[UInt8]] = [[13, 10, 13, 10], [10, 10]]

  private var bytes: [UInt8] = []

  /// Takes the next bytes that were sent.
  mutating func take(_ sent: UnsafeRawBufferPointer) {
    if bytes.count < Self.most { bytes += sent.prefix(Self.most - bytes.count) }
  }

  /// Status line and field lines with the empty line; none where the first bytes are no head, or no whole one. An interim head
  /// (RFC 9110 section 15.2) but 101 is passed over.
  var whole: [UInt8] {
    var rest = bytes[...]
    while let end = Self.end.compactMap({ rest.firstRange(of: $0)?.upperBound }).min() {
      let line = rest.prefix(12)
      guard line.count == 12, line.starts(with: "HTTP/1.".utf8) else { return [] }
      let isInterim = line[line.startIndex + 9] == UInt8(ascii: "1") && !line.hasSuffix("101")
      guard isInterim else { return Array(rest[..<end]) }
      rest = rest[end...]
    }
    return []
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
