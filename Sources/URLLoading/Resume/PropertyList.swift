// SPDX-License-Identifier: Apache-2.0

/// The part of a property list that resume data and a store of cookies need, and its XML form.
///
/// The toolchain's readers trap on hostile bytes, so this one reads only what is written here: dictionaries, strings and
/// numbers, no entities but the five of XML, no comments, no key twice, and no more than `depthLimit` levels. Pure.
enum PropertyList: Equatable, Sendable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case dictionary([String: PropertyList])
  /// Not read in resume data.
  case boolean(Bool)
  /// Not read in resume data.
  case array([PropertyList])

  static let depthLimit = 4

  private static let opening = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  /// The list as a document; nil when a text has characters that XML 1.0 cannot hold.
  var document: String? {
    guard let body = text(indent: "") else { return nil }
    return Self.opening + body + "</plist>\n"
  }

  /// The list that a document holds; nil for any other bytes.
  init?(document: [UInt8]) {
    var reader = PropertyListReader(document)
    guard let list = reader.document() else { return nil }
    self = list
  }

  /// The list that a document of the toolchain's holds, which may have arrays, truth values and line ends in its texts,
  /// too; nil for any other bytes.
  init?(lenient document: [UInt8]) {
    var reader = PropertyListReader(document, isLenient: true)
    guard let list = reader.document() else { return nil }
    self = list
  }

  // MARK: Writing

  private func text(indent: String) -> String? {
    switch self {
    case .integer(let number): return "\(indent)<integer>\(number)</integer>\n"
    case .real(let number): return number.isFinite ? "\(indent)<real>\(number)</real>\n" : nil
    case .boolean(let isTrue): return "\(indent)<\(isTrue)/>\n"
    case .string(let text): return Self.escaped(text).map { "\(indent)<string>\($0)</string>\n" }
    case .array(let elements):
      let texts = elements.compactMap { $0.text(indent: indent + "\t") }
      return texts.count < elements.count ? nil : "\(indent)<array>\n\(texts.joined())\(indent)</array>\n"
    case .dictionary(let entries):
      var result = "\(indent)<dict>\n"
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        guard let key = Self.escaped(key), let value = value.text(indent: indent + "\t") else { return nil }
        result += "\(indent)\t<key>\(key)</key>\n" + value
      }
      return result + "\(indent)</dict>\n"
    }
  }

  private static func escaped(_ text: String) -> String? {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default:
        guard isAllowed(scalar) else { return nil }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// XML 1.0 production Char, without the line ends, which a reader would change.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || scalar.value >= 32 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }
}
