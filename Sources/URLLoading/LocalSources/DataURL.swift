// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// The contents of a `data:` URL (RFC 2397). Pure.
struct DataURL: Equatable {
  var mediaType = "text/plain"
  /// In small letters; nil where the media type has none.
  var charset: String?
  var body: Data

  /// Reads the text of a URL: the media type, or plain ASCII text without one, and behind the first comma the body, in
  /// percent coding or in base 64. nil without a comma, for a media type that is none (RFC 9110 section 8.3.1) and for what
  /// is no base 64. A fragment is no part of it.
  init?(_ text: String) {
    let bytes = Array(text.utf8.prefix { $0 != UInt8(ascii: "#") })
    guard bytes.count >= 5, String(decoding: bytes.prefix(5), as: UTF8.self).lowercased() == "data:",
      let comma = bytes.firstIndex(of: UInt8(ascii: ","))
    else { return nil }
    let type = String(decoding: Self.decoded(bytes[5..<comma]), as: UTF8.self)
    var parameters = FieldSyntax.parts(of: type[...].utf8, between: UInt8(ascii: ";"))
    let content = Self.decoded(bytes[(comma + 1)...])
    if parameters.count > 1, parameters.last.map({ Substring($0).trimmed.lowercased() }) == "base64" {
      parameters.removeLast()
      guard let decoded = Self.base64(content) else { return nil }
      body = decoded
    } else {
      body = Data(content)
    }
    charset = MediaType.charset(in: parameters.dropFirst())
    guard let name = parameters.first, !Substring(name).trimmed.isEmpty else {
      charset = charset ?? "us-ascii"
      return
    }
    guard let known = MediaType.name(name) else { return nil }
    mediaType = known
  }

  /// Undoes percent coding; a percent sign without two digits stands for itself.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) && byte != 11 }

  /// Base 64 (RFC 4648 section 4), with white space and without padding as well.
  private static func base64(_ bytes: [UInt8]) -> Data? {
    var digits = bytes.filter { !isSpace($0) }
    while digits.last == UInt8(ascii: "=") { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    return Data(base64Encoded: Data(digits))
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
