// SPDX-License-Identifier: Apache-2.0

/// Reads the XML form of a `PropertyList`. Every step looks at one byte more and gives up at the first that does not
/// fit, so that no input takes longer than its length.
struct PropertyListReader {
  private var rest: ArraySlice<UInt8>
  private let isLenient: Bool

  /// `isLenient`: whether arrays, truth values and any characters in texts are read, too.
  init(_ bytes: [UInt8], isLenient: Bool = false) {
    rest = bytes[...]
    self.isLenient = isLenient
  }

  /// The one list of a document, or nil.
  mutating func document() -> PropertyList? {
    skipSpace()
    if take("<?xml") {
      guard skip(past: "?>") else { return nil }
      skipSpace()
    }
    if take("<!DOCTYPE plist") {
      // An internal subset could define entities.
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")), !rest[..<end].contains(UInt8(ascii: "[")) else {
        return nil
      }
      rest = rest[(end + 1)...]
      skipSpace()
    }
    guard take("<plist version=\"1.0\">"), let list = value(depth: 1) else { return nil }
    skipSpace()
    guard take("</plist>") else { return nil }
    skipSpace()
    return rest.isEmpty ? list : nil
  }

  private mutating func value(depth: Int) -> PropertyList? {
    skipSpace()
    if take("<dict/>") { return .dictionary([:]) }
    if take("<dict>") { return depth <= PropertyList.depthLimit ? dictionary(depth) : nil }
    if take("<string/>") { return .string("") }
    if take("<string>") { return text(until: "</string>").map { .string($0) } }
    if take("<integer>") { return text(until: "</integer>").flatMap(Self.integer).map { .integer($0) } }
    if take("<real>") { return text(until: "</real>").flatMap(Self.real).map { .real($0) } }
    return isLenient ? furtherValue(depth) : nil
  }

  private mutating func furtherValue(_ depth: Int) -> PropertyList? {
    if take("<true/>") { return .boolean(true) }
    if take("<false/>") { return .boolean(false) }
    if take("<array/>") { return .array([]) }
    guard take("<array>"), depth <= PropertyList.depthLimit else { return nil }
    var elements: [PropertyList] = []
    while true {
      skipSpace()
      if take("</array>") { return .array(elements) }
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
    }
  }

  private mutating func dictionary(_ depth: Int) -> PropertyList? {
    var entries: [String: PropertyList] = [:]
    while true {
      skipSpace()
      if take("</dict>") { return .dictionary(entries) }
      guard take("<key>"), let key = text(until: "</key>"), entries[key] == nil, let value = value(depth: depth + 1)
      else { return nil }
      entries[key] = value
    }
  }

  /// Character data up to an end tag: well-formed UTF-8 without characters that XML does not allow.
  private mutating func text(until end: String) -> String? {
    var bytes: [UInt8] = []
    while let byte = rest.first, byte != UInt8(ascii: "<") {
      if byte == UInt8(ascii: "&") {
        guard let character = entity() else { return nil }
        bytes.append(character)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    guard take(end), let text = String(validating: bytes, as: UTF8.self),
      isLenient || text.unicodeScalars.allSatisfy(PropertyList.isAllowed)
    else { return nil }
    return text
  }

  private mutating func entity() -> UInt8? {
    if take("&amp;") { return UInt8(ascii: "&") }
    if take("&lt;") { return UInt8(ascii: "<") }
    if take("&gt;") { return UInt8(ascii: ">") }
    if take("&quot;") { return UInt8(ascii: "\"") }
    if take("&apos;") { return UInt8(ascii: "'") }
    return nil
  }

  private static func integer(_ text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func real(_ text: String) -> Double? {
    guard (1...32).contains(text.utf8.count),
      text.utf8.allSatisfy({ (48...57).contains($0) || ".e+-".utf8.contains($0) })
    else { return nil }
    return Double(text)
  }

  // MARK: Bytes

  private mutating func skipSpace() {
    rest = rest.drop { $0 == 32 || $0 == 9 || $0 == 10 || $0 == 13 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func skip(past text: String) -> Bool {
    while !rest.isEmpty {
      if take(text) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
