// SPDX-License-Identifier: Apache-2.0

/// Distinguishes versions of a resource, byte for byte: a strong validator (RFC 9110 section 8.8.1). Pure.
package enum ResumeValidator: Hashable, Sendable {
  /// A strong entity tag with its quotes.
  case entityTag(String)
  /// A Last-Modified date, as the server wrote it.
  case modified(String)

  /// The field of a request that asks for the rest only of this version (RFC 9110 section 13.1.5).
  package var ifRange: String {
    switch self {
    case .entityTag(let text), .modified(let text): text
    }
  }

  /// The validator that a response offers, or nil when it has none that is strong.
  ///
  /// A date is strong only when there is no entity tag, and the response was made at least a second after it, so that
  /// the resource cannot have changed twice in that second (RFC 9110 section 8.8.2.2). `now` stands in for a missing
  /// Date field, in seconds since 1970.
  package init?(entityTag: String?, modified: String?, date: String?, now: Int64) {
    if let entityTag {
      guard Self.isStrong(entityTag) else { return nil }
      self = .entityTag(entityTag)
    } else {
      guard let modified, let changed = IMFDate.seconds(modified) else { return nil }
      guard let made = date.map({ IMFDate.seconds($0) }) ?? now, made > changed else { return nil }
      self = .modified(modified)
    }
  }

  /// True if a response with these fields is of this version; one without the field says nothing, and is not.
  package func matches(entityTag: String?, modified: String?) -> Bool {
    switch self {
    case .entityTag(let text): text == entityTag
    case .modified(let text): text == modified && entityTag == nil
    }
  }

  /// True if `text` is an entity tag without `W/` (RFC 9110 section 8.8.3).
  package static func isStrong(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return false }
    return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
  }
}
