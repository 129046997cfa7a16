// SPDX-License-Identifier: Apache-2.0

/// The questions that the judges ask of bytes that libcurl owns. A span cannot outlive them, and a judge cannot read
/// beyond its end.
extension Span<UInt8> {
  /// Where `byte` stands first; nil when it is absent.
  func firstIndex(of byte: UInt8) -> Int? {
    for index in indices where self[index] == byte { return index }
    return nil
  }

  /// True if these are the bytes of `text`.
  func spells(_ text: String) -> Bool { count == text.utf8.count && begins(with: text) }

  /// True if the first bytes are those of `text`.
  func begins(with text: String) -> Bool {
    guard count >= text.utf8.count else { return false }
    let bytes = text.utf8.span
    for index in bytes.indices where self[index] != bytes[index] { return false }
    return true
  }

  /// The bytes as UTF-8; what is none becomes U+FFFD.
  var text: String { unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
}
