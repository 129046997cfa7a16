// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The head of a part: its fields, and the response they make of the response as a whole. Pure.
package enum PartHead {
  /// The fields in `head`, whose lines end with LF; nil when a line is none. A line that begins with a space continues
  /// the one before.
  package static func fields(of head: [UInt8]) -> [HeaderField]? {
    var fields: [HeaderField] = []
    for line in head.split(separator: 10) {
      if let first = line.first, first == 32 || first == 9 {
        guard let last = fields.indices.last else { return nil }
        fields[last].value += " " + text(line)
      } else {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let field = HeaderField(name: latin1(line[..<colon]), value: text(line[(colon + 1)...]))
        guard HeaderField.isToken(field.name), !field.value.utf8.contains(where: { $0 == 0 || $0 == 13 }) else {
          return nil
        }
        fields.append(field)
      }
    }
    return fields
  }

  /// The fields of a part's response: the whole's, but those about its body, which are the part's own. A part without a
  /// type is plain text (RFC 2046 section 5.1). It sets no cookies, and a length that is no number is ignored.
  package static func fields(ofPart own: [HeaderField], in whole: [HeaderField]) -> [HeaderField] {
    var fields = own.filter { field in
      switch field.name.lowercased() {
      case "set-cookie", "content-encoding", "transfer-encoding": false
      case "content-length": isLength(field.value)
      default: true
      }
    }
    var names = Set(fields.map { $0.name.lowercased() })
    if names.insert("content-type").inserted { fields.append(HeaderField(name: "Content-Type", value: "text/plain")) }
    return whole.filter { field in
      let name = field.name.lowercased()
      return !names.contains(name) && !name.hasPrefix("content-") && name != "transfer-encoding"
    } + fields
  }

  static func isLength(_ text: String) -> Bool {
    (1...18).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String {
    latin1(line).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
  }

  private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
