// SPDX-License-Identifier: Apache-2.0
import CCurl

/// A URL as libcurl takes it apart (CURLOPT_CURLU), released exactly once. Handles may share it, on one thread.
///
/// From text alone libcurl would parse it for every request and put it together again: 10,700 of the 76,100 instructions
/// that a small one took it. Dot segments stay as they are written (RFC 3986 section 6.2.2.3 lets a client remove them; the
/// program's response and error name the URL with them). Safe: libcurl's object lives as long as this one.
@safe
final class ParsedURL {
  let text: String
  /// True if an escape has a hexadecimal digit in lower case, such as `%2f`.
  let hasLowercaseEscapes: Bool
  /// nil where libcurl cannot parse it; then it says so itself, when it is given the text.
  let raw: OpaquePointer?

  init(_ text: String) {
    self.text = text
    hasLowercaseEscapes = Self.hasLowercaseEscapes(text.utf8.span)
    let parts = unsafe curl_url()
    guard let parts = unsafe parts,
      unsafe curl_url_set(parts, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS)) == CURLUE_OK
    else {
      unsafe curl_url_cleanup(parts)
      unsafe raw = nil
      return
    }
    unsafe raw = parts
  }

  private static func hasLowercaseEscapes(_ text: Span<UInt8>) -> Bool {
    (0..<max(0, text.count - 2)).contains { index in
      text[index] == UInt8(ascii: "%") && (text[index + 1] >= UInt8(ascii: "a") || text[index + 2] >= UInt8(ascii: "a"))
    }
  }

  deinit { unsafe curl_url_cleanup(raw) }
}
