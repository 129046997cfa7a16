// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules

/// The index of a cache's folder: each line records that a file was stored or used, or is gone.
typealias CacheLog = SharedLog<CacheLogFormat>

/// `+ NAME SIZE STORED [FIELD=DIGEST…]` for a file that was stored, with bytes, milliseconds since 1970 and what Vary names;
/// `~ NAME` for one that was used, `- NAME` for one that is gone.
enum CacheLogFormat: SharedLogFormat {
  enum Record: Equatable {
    case stored(CacheFile, size: Int, stored: Int64)
    case used(CacheFile)
    case gone(CacheFile)
  }

  static let family = "workbench-cache"
  static let owner = "URLCache"
  static let contents = "responses"

  static func text(_ record: Record) -> [UInt8] {
    switch record {
    case .stored(let file, let size, let stored): Array("+ \(file.name) \(size) \(stored)\(file.selection)".utf8)
    case .used(let file): Array("~ \(file.name)\(file.selection)".utf8)
    case .gone(let file): Array("- \(file.name)\(file.selection)".utf8)
    }
  }

  static func record(_ text: ArraySlice<UInt8>) -> Record? {
    let words = text.split(separator: 32)
    guard words.count >= 2, let kind = words[0].first, words[0].count == 1 else { return nil }
    let isStored = kind == UInt8(ascii: "+")
    guard let file = CacheFile(words[1], selection: words.dropFirst(isStored ? 4 : 2)) else { return nil }
    switch kind {
    case UInt8(ascii: "+"):
      guard words.count >= 4, let size = number(words[2], places: 10), let stored = number(words[3]) else { return nil }
      return .stored(file, size: size, stored: Int64(stored))
    case UInt8(ascii: "~"): return .used(file)
    case UInt8(ascii: "-"): return .gone(file)
    default: return nil
    }
  }

  /// Digits, of at most so many places: the sizes of as many entries as an index has lines are a number, too.
  private static func number(_ digits: ArraySlice<UInt8>, places: Int = 15) -> Int? {
    guard (1...places).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// The file of one entry, by what it is found with.
struct CacheFile: Hashable, Sendable {
  var resource: UInt64
  var selectors: [String: UInt64]

  init(_ resource: UInt64, _ selectors: [String: UInt64]) {
    (self.resource, self.selectors) = (resource, selectors)
  }

  /// As a line names it: `name`, and the words of `selection`; nil where they do not belong together.
  init?(_ name: ArraySlice<UInt8>, selection: ArraySlice<ArraySlice<UInt8>>) {
    guard let resource = Self.digest(name.prefix(16)) else { return nil }
    self.resource = resource
    selectors = [:]
    for word in selection {
      guard let place = word.firstIndex(of: UInt8(ascii: "=")), let digest = Self.digest(word[(place + 1)...]) else {
        return nil
      }
      selectors[String(decoding: word[..<place], as: UTF8.self)] = digest
    }
    if !selectors.isEmpty || name.count != 16 {
      guard name.elementsEqual(self.name.utf8) else { return nil }
    }
  }

  /// The name of the file: sixteen hexadecimal digits, and as many again behind a dash where Vary names fields.
  var name: String {
    let first = Self.hex(resource)
    return selectors.isEmpty ? first : first + "-" + Self.hex(DamageDigest.of(selection))
  }

  /// A word for each field, in their order, each behind a blank.
  var selection: String {
    selectors.isEmpty ? "" : selectors.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.hex($0.value))" }.joined()
  }

  /// True if a file of this name may be an entry's.
  static func isName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { digest(Array($0)[...]) != nil }
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private static func digest(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard digits.count == 16 else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: value = value << 4 | UInt64(digit - 0x30)
      case 0x61...0x66: value = value << 4 | UInt64(digit - 0x61 + 10)
      default: return nil
      }
    }
    return value
  }
}
