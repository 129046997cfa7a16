// SPDX-License-Identifier: Apache-2.0

extension AsyncSequence where Element == UInt8 {
  /// The lines of the bytes, which are read as UTF-8; what is none becomes U+FFFD. Empty lines are left out.
  public var lines: AsyncLineSequence<Self> { AsyncLineSequence(self) }
}

/// Lines out of bytes. A line ends with LF, CR, CR LF, VT, FF, NEL (U+0085), LS (U+2028) or PS (U+2029), or with the bytes.
public struct AsyncLineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  /// A line without its end.
  public typealias Element = String
  private let base: Base

  init(_ base: Base) {
    self.base = base
  }

  /// Reads the lines from the first on.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base.makeAsyncIterator())
  }

  /// Gathers the bytes of a line.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let lines = LineReader()
    private var bytes: Base.AsyncIterator

    init(_ bytes: Base.AsyncIterator) {
      self.bytes = bytes
    }

    /// The next line that is not empty, without its end; nil at the end.
    public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> String? {
      while !lines.isOver {
        if let line = lines.next() { return line }
        if try await !lines.bytes.refill(from: &bytes) { return lines.last() }
      }
      return nil
    }
  }
}

extension AsyncLineSequence: Sendable where Base: Sendable {}

/// Lines out of the bytes at hand.
private final class LineReader {
  let bytes = ByteReader()
  private var splitter = LineSplitter()
  private(set) var isOver = false

  /// The next line that ends within the bytes at hand; nil where none does.
  func next() -> String? {
    while let atHand = unsafe bytes.atHand {
      let (count, line) = unsafe splitter.take(atHand)
      bytes.skip(count)
      if let line { return line }
    }
    return nil
  }

  /// There are no more bytes.
  func last() -> String? {
    isOver = true
    return splitter.rest()
  }
}

/// Cuts bytes into lines. Pure.
struct LineSplitter {
  /// The bytes that have come of a line whose end has not come.
  private var line: [UInt8] = []

  /// Takes bytes up to the end of a line that is not empty, or all: how many, and the line. The LF after a CR ends an empty line,
  /// and is thereby swallowed.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> (Int, String?) {
    var start = 0
    while let end = unsafe Self.possibleEnd(in: bytes, from: start) {
      let next = end + 1
      switch unsafe bytes[end] {
      case 0x0A...0x0D where line.isEmpty:
        if end > start { return (next, unsafe Self.text(bytes[start..<end])) }
      case 0x0A...0x0D:
        unsafe line.append(contentsOf: bytes[start..<end])
        return (next, rest())
      default:
        // Of the ends of several bytes, those before this one may have come earlier.
        unsafe line.append(contentsOf: bytes[start...end])
        if let line = longEnd() { return (next, line) }
      }
      start = next
    }
    unsafe line.append(contentsOf: bytes[start...])
    return (bytes.count, nil)
  }

  /// The line without its separator, where its last bytes are U+0085, U+2028 or U+2029 in UTF-8; nil where they are not.
  private mutating func longEnd() -> String? {
    switch line.last {
    case 0x85 where line.dropLast().last == 0xC2: rest(without: 2)
    case 0xA8 where line.suffix(3).starts(with: [0xE2, 0x80]), 0xA9 where line.suffix(3).starts(with: [0xE2, 0x80]):
      rest(without: 3)
    default: nil
    }
  }

  /// Where the next byte stands that ends a line, or may be the last of several that do; nil where none does. Eight bytes at a
  /// time, as long as none of them is below 0x0E or above 0x7F.
  private static func possibleEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index < bytes.count {
      if index + 8 <= bytes.count {
        let word = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if (word &- ones &* 0x0E) & ~word & tops == 0, word & tops == 0 {
          index += 8
          continue
        }
      }
      for index in index..<min(index + 8, bytes.count) {
        switch unsafe bytes[index] {
        case 0x0A...0x0D, 0x85, 0xA8, 0xA9: return index
        default: break
        }
      }
      index += 8
    }
    return nil
  }

  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
  }

  /// Takes the bytes that have gathered, without the last ones, unless none have.
  mutating func rest(without count: Int = 0) -> String? {
    line.removeLast(count)
    defer { line.removeAll(keepingCapacity: true) }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
