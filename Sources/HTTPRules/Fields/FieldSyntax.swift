// SPDX-License-Identifier: Apache-2.0

/// The syntax that the values of fields share (RFC 9110 section 5.6): white space, quoted strings, members of lists. Pure.
package enum FieldSyntax {
  /// True if the byte is white space within a field (section 5.6.3).
  package static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  /// The bytes without white space at either end.
  package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes
  where Bytes.SubSequence == Bytes {
    var bytes = bytes.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  /// Takes the rest of a quoted string off, behind the mark that opens it, and undoes its quoted pairs (section 5.6.4).
  ///
  /// - Returns: the content, and whether a mark closed it.
  package static func takeQuoted<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> (content: [UInt8], isClosed: Bool)
  where Bytes.SubSequence == Bytes {
    var content: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return (content, true) }
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      guard let next = rest.popFirst() else { return (content + [byte], false) }
      content.append(next)
    }
    return (content, false)
  }

  /// A value as it is meant, without white space around it; of a quoted string without its end what there is.
  package static func value<Bytes: BidirectionalCollection<UInt8>>(of bytes: Bytes) -> [UInt8]
  where Bytes.SubSequence == Bytes {
    var rest = trimmed(bytes)
    guard rest.first == UInt8(ascii: "\"") else { return Array(rest) }
    rest.removeFirst()
    return takeQuoted(&rest).content
  }

  /// The pieces between separators that stand in no quoted string. A mark opens one where a value begins, behind a “=”.
  package static func parts<Bytes: BidirectionalCollection<UInt8>>(of bytes: Bytes, between separator: UInt8) -> [Bytes]
  where Bytes.SubSequence == Bytes {
    var (parts, start) = ([Bytes](), bytes.startIndex)
    var (isQuoted, isEscaped) = (false, false)
    // The last byte of this piece that is no white space; a server may send as much of that as it likes.
    var last: UInt8?
    for index in bytes.indices {
      let byte = bytes[index]
      defer { if !isSpace(byte) { last = byte == separator && !isQuoted ? nil : byte } }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\""), isQuoted || last == UInt8(ascii: "=") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isQuoted
      } else if byte == separator, !isQuoted {
        parts.append(bytes[start..<index])
        start = bytes.index(after: index)
      }
    }
    return parts + [bytes[start...]]
  }
}
