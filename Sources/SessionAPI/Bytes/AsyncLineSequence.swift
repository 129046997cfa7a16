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
    private var bytes: Base.AsyncIterator
    private var splitter = LineSplitter()
    private var isOver = false

    init(_ bytes: Base.AsyncIterator) {
      self.bytes = bytes
    }

    /// The next line that is not empty, without its end; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> String? {
      while !isOver {
        guard let byte = try await bytes.next(isolation: actor) else {
          isOver = true
          return splitter.rest()
        }
        if let line = splitter.add(byte) { return line }
      }
      return nil
    }
  }
}

extension AsyncLineSequence: Sendable where Base: Sendable {}

/// Cuts bytes into lines. Pure.
struct LineSplitter {
  private var line: [UInt8] = []

  /// Takes the next byte; a line that it ends, unless that is empty. The LF after a CR ends an empty line, and is
  /// thereby swallowed.
  mutating func add(_ byte: UInt8) -> String? {
    switch byte {
    case 0x0A...0x0D: return rest()
    case 0x85 where line.last == 0xC2: return rest(without: 1)
    case 0xA8 where line.suffix(2) == [0xE2, 0x80], 0xA9 where line.suffix(2) == [0xE2, 0x80]: return rest(without: 2)
    default:
      line.append(byte)
      return nil
    }
  }

  /// What has gathered, unless nothing has.
  mutating func rest(without count: Int = 0) -> String? {
    line.removeLast(count)
    defer { line.removeAll(keepingCapacity: true) }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
