// SPDX-License-Identifier: Apache-2.0

/// Octets of a field's value that are no UTF-8, in a `String`: each stands as a private-use scalar, U+10FE80 to U+10FEFF for 0x80 to
/// 0xFF, and goes onto the wire as that octet. Pure.
///
/// A recipient takes a cookie and an entity tag for octets and has to send back the same (RFC 6265 section 5.2, RFC 9110 section
/// 8.8.3), while Apple's properties are texts. Every sequence of octets has one text: where it spells one of these scalars itself,
/// in UTF-8, those four octets stand for themselves.
package enum FieldOctets {
  private static let base: UInt32 = 0x10_FE00
  private static let range: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF
  /// The byte with which each of these scalars begins in UTF-8, as few others do.
  private static let lead: UInt8 = 0xF4

  /// The text of these octets.
  package static func text(_ octets: [UInt8]) -> String {
    if !octets.contains(lead), let text = String(validating: octets, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    var (parser, rest, start) = (Unicode.UTF8.ForwardParser(), octets.makeIterator(), 0)
    while true {
      let (count, valid): (Int, Unicode.Scalar?)
      switch parser.parseScalar(from: &rest) {
      case .emptyInput: return String(text)
      case .valid(let encoded): (count, valid) = (encoded.count, Unicode.UTF8.decode(encoded))
      case .error(let length): (count, valid) = (length, nil)
      }
      if let valid, !range.contains(valid.value) {
        text.append(valid)
      } else {
        text.append(contentsOf: octets[start..<(start + count)].compactMap(scalar))
      }
      start += count
    }
  }

  /// True if a text may have such a scalar; most have none.
  package static func areIn(_ text: String) -> Bool { text.utf8.contains(lead) }

  /// The octets of a text.
  package static func octets(_ text: String) -> [UInt8] {
    guard areIn(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      range.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(UTF8.encode(scalar) ?? .init())
    }
  }

  /// A value that was received, whose octets stand as U+0080 to U+00FF (`HeaderField`), as it is sent back.
  package static func sentBack(_ received: String) -> String {
    if received.utf8.allSatisfy({ $0 < 0x80 }) { return received }
    return text(received.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  private static func scalar(_ octet: UInt8) -> Unicode.Scalar? { Unicode.Scalar(base + UInt32(octet)) }
}
