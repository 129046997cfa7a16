// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Text within HTML, SVG and XML.
package enum Markup {
  /// The text for an element's content or a quoted attribute.
  package static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A value as JSON that may stand in a `script` element: no `<` within.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self).replacing("<", with: "\\u003c")
  }

  /// A name for use as an element's id: letters, digits and hyphens.
  static func identifier(_ parts: String...) -> String {
    String(parts.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
