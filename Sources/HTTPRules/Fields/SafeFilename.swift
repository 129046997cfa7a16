// SPDX-License-Identifier: Apache-2.0

/// Makes one harmless path component of a name that a server chose. Pure.
package enum SafeFilename {
  /// Bytes that common file systems take for a name.
  private static let limit = 255

  /// The last component of `name` without what could lead elsewhere, hide or confuse; nil when nothing is left.
  package static func component(_ name: String?) -> String? {
    guard let last = name?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last else { return nil }
    var kept = String.UnicodeScalarView()
    for scalar in last.unicodeScalars where isHarmless(scalar) { kept.append(scalar) }
    var result = String(kept).drop { $0 == "." || $0 == " " }
    while result.utf8.count > limit { result.removeLast() }
    return result.isEmpty || result == "Unknown" ? nil : String(result)
  }

  /// Neither a control character nor one that changes the direction of writing.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
