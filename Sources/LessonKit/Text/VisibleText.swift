// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Text of programs, servers and files in which no character commands the terminal that shows it.
///
/// Problem: what a program prints, names or sends may hold an escape sequence, by which a terminal overwrites what stands
/// there, sets its title, or answers as if the person had typed. Choice: where such text enters the workbench, a control
/// character becomes the picture that Unicode has for it (U+2400 to U+2421), or U+FFFD where it has none. Tabs and line
/// feeds stay.
public enum VisibleText {
  private static let escape: UInt8 = 0x1B

  /// The text without control characters. Where `keepingColours`, sequences stay that change but the colour (ECMA-48,
  /// SGR), for text that the workbench has coloured itself.
  public static func of(_ text: String, keepingColours: Bool = false) -> String {
    var text = text
    let isClean = text.withUTF8 { bytes in !bytes.contains { isSuspect($0) } }
    guard !isClean else { return text }
    return String(decoding: cleaned(Array(text.utf8), keepingColours), as: UTF8.self)
  }

  /// The same for JSON, in whose strings control characters are written as escapes as well.
  public static func json(_ text: Data) -> Data {
    let bytes = Array(text)
    guard bytes.contains(where: { isSuspect($0) || $0 == UInt8(ascii: "\\") }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var (index, start) = (0, 0)
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") || bytes[index] == 0x7F || bytes[index] == 0xC2 else {
        index += 1
        continue
      }
      let (next, size) = character(of: bytes, at: index)
      result += bytes[start..<index] + next
      index = min(index + size, bytes.count)
      start = index
    }
    return Data(result + bytes[start...])
  }

  private static func isSuspect(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F || byte == 0xC2 }

  private static func cleaned(_ bytes: [UInt8], _ keepingColours: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let size = keepingColours ? colour(bytes[index...]) : 0
      if size > 0 {
        result += bytes[index..<index + size]
        index += size
      } else if bytes[index] == 0xC2, index + 1 < bytes.count, (0x80..<0xA0).contains(bytes[index + 1]) {
        result += picture(UInt32(bytes[index + 1]))
        index += 2
      } else {
        result += isSuspect(bytes[index]) && bytes[index] != 0xC2 ? picture(UInt32(bytes[index])) : [bytes[index]]
        index += 1
      }
    }
    return result
  }

  /// The length of a sequence that sets the colour, at the beginning; 0 where there is none.
  private static func colour(_ bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.first == escape, bytes.dropFirst().first == UInt8(ascii: "[") else { return 0 }
    let numbers = bytes.dropFirst(2).prefix { (UInt8(ascii: "0")...UInt8(ascii: ";")).contains($0) && $0 != 0x3A }
    return bytes.dropFirst(2 + numbers.count).first == UInt8(ascii: "m") ? 3 + numbers.count : 0
  }

  /// The next character of JSON, without its command, and how many bytes it has taken.
  private static func character(of bytes: [UInt8], at index: Int) -> (bytes: [UInt8], size: Int) {
    let rest = bytes[index...]
    if rest.first == 0xC2, let second = rest.dropFirst().first, (0x80..<0xA0).contains(second) {
      return (picture(UInt32(second)), 2)
    }
    guard rest.first == UInt8(ascii: "\\"), let letter = rest.dropFirst().first else {
      // Outside of strings, white space is all that there may be of them.
      return (rest.first == 0x7F ? picture(0x7F) : Array(rest.prefix(1)), 1)
    }
    switch letter {
    case UInt8(ascii: "b"): return (picture(8), 2)
    case UInt8(ascii: "f"): return (picture(12), 2)
    case UInt8(ascii: "r"): return (picture(13), 2)
    case UInt8(ascii: "u"):
      let digits = rest.dropFirst(2).prefix(4)
      let code = digits.count == 4 ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFF : 0xFFFF
      let isCommand = (code < 0x20 || (0x7F..<0xA0).contains(code)) && code != 9 && code != 10
      return isCommand ? (picture(code), 6) : (Array(rest.prefix(2)), 2)
    default: return (Array(rest.prefix(2)), 2)
    }
  }

  private static func picture(_ code: UInt32) -> [UInt8] {
    switch code {
    case 9, 10: [UInt8(code)]
    case 0..<0x20: [0xE2, 0x90, 0x80 + UInt8(code)]
    case 0x7F: [0xE2, 0x90, 0xA1]
    default: [0xEF, 0xBF, 0xBD]
    }
  }
}
