// SPDX-License-Identifier: Apache-2.0

/// The sections and symbols of an object file, as far as `ObjectRule` judges them (elf(5); 64 bits, little-endian).
///
/// The compiler has written the file, so it is well-formed where the compiler is; what a file says of its own sizes is
/// checked all the same, for a person's program decides what the compiler writes.
struct ObjectFile: Sendable, Hashable {
  struct Section: Sendable, Hashable {
    var name: String
    var kind: UInt32
  }

  struct Symbol: Sendable, Hashable {
    /// How it is found from other objects.
    enum Binding: Sendable, Hashable {
      case local, global, weak
    }
    var name: String
    var binding: Binding
    var isDefined: Bool
  }

  private static let (headerSize, sectionSize, symbolSize) = (64, 64, 24)
  private static let symbolTable: UInt32 = 2

  private(set) var sections: [Section] = []
  private(set) var symbols: [Symbol] = []

  /// Reads the bytes of a file; nil where they are no such file.
  init?(_ bytes: [UInt8]) {
    let reader = Reader(bytes: bytes)
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let start = reader.offset(40), start > 0,
      let first = reader.slice(start, Self.sectionSize)
    else { return nil }
    // Numbers that the header has no room for stand in the first section.
    guard let few: UInt16 = reader.number(60), let many = first.offset(32), let named: UInt16 = reader.number(62),
      let far: UInt32 = first.number(40),
      let table = reader.records(start, count: few == 0 ? many : Int(few), Self.sectionSize),
      let names = table[checked: named == 0xFFFF ? Int(far) : Int(named)].flatMap(reader.content)
    else { return nil }
    for section in table {
      guard let place: UInt32 = section.number(0), let kind: UInt32 = section.number(4),
        let name = names.text(Int(place))
      else { return nil }
      sections.append(Section(name: name, kind: kind))
      guard kind == Self.symbolTable else { continue }
      guard let found = Self.symbols(section, table, reader) else { return nil }
      symbols += found
    }
  }

  private static func symbols(_ section: Reader, _ table: [Reader], _ reader: Reader) -> [Symbol]? {
    guard let content = reader.content(of: section), let link: UInt32 = section.number(40),
      let names = table[checked: Int(link)].flatMap(reader.content),
      let all = content.records(0, count: content.bytes.count / symbolSize, symbolSize)
    else { return nil }
    var symbols: [Symbol] = []
    for each in all {
      guard let place: UInt32 = each.number(0), let info: UInt8 = each.number(4), let home: UInt16 = each.number(6),
        let name = names.text(Int(place))
      else { return nil }
      let binding: Symbol.Binding = info >> 4 == 0 ? .local : info >> 4 == 2 ? .weak : .global
      symbols.append(Symbol(name: name, binding: binding, isDefined: home != 0))
    }
    return symbols
  }
}

/// Bytes from which numbers are taken, and nothing beyond their end.
private struct Reader {
  var bytes: ArraySlice<UInt8>

  init(bytes: [UInt8]) { self.bytes = bytes[...] }

  private init(slice: ArraySlice<UInt8>) { bytes = slice }

  /// The number at a place; the least byte stands first.
  func number<Number: FixedWidthInteger>(_ place: Int) -> Number? {
    slice(place, Number.bitWidth / 8)?.bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// A number of eight bytes that is a place or a size in a file.
  func offset(_ place: Int) -> Int? {
    let number: UInt64? = number(place)
    return number.flatMap(Int.init(exactly:))
  }

  func slice(_ place: Int, _ size: Int) -> Reader? {
    guard place >= 0, size >= 0, place <= bytes.count, size <= bytes.count - place else { return nil }
    let start = bytes.startIndex + place
    return Reader(slice: bytes[start..<start + size])
  }

  func records(_ place: Int, count: Int, _ size: Int) -> [Reader]? {
    guard count >= 0, count <= bytes.count / size else { return nil }
    return slice(place, count * size).map { all in
      (0..<count).compactMap { all.slice($0 * size, size) }
    }
  }

  /// Returns the content of a section, given by its header.
  func content(of section: Reader) -> Reader? {
    guard let place = section.offset(24), let size = section.offset(32) else { return nil }
    return slice(place, size)
  }

  /// The text that begins at a place and ends before a zero.
  func text(_ place: Int) -> String? {
    guard place <= bytes.count else { return nil }
    return String(decoding: bytes.dropFirst(place).prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension Array {
  fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
