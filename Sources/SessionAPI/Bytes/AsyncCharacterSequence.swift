// SPDX-License-Identifier: Apache-2.0

extension AsyncSequence where Element == UInt8 {
  /// The Unicode scalars of the bytes, which are read as UTF-8; what is none becomes U+FFFD.
  public var unicodeScalars: AsyncUnicodeScalarSequence<Self> { AsyncUnicodeScalarSequence(self) }

  /// The characters of the bytes, which are read as UTF-8; what is none becomes U+FFFD.
  public var characters: AsyncCharacterSequence<Self> { AsyncCharacterSequence(self) }
}

/// Unicode scalars out of bytes.
public struct AsyncUnicodeScalarSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  /// A scalar.
  public typealias Element = Unicode.Scalar
  private let base: Base

  init(_ base: Base) {
    self.base = base
  }

  /// Reads from the first byte on.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base.makeAsyncIterator())
  }

  /// Gathers the one to four bytes of a scalar.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var bytes: Base.AsyncIterator
    private var waiting: UInt8?

    init(_ bytes: Base.AsyncIterator) {
      self.bytes = bytes
    }

    /// The next scalar, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Unicode.Scalar? {
      guard let first = try await nextByte(actor) else { return nil }
      var sequence = [first]
      while sequence.count < Self.length(first), let byte = try await nextByte(actor) {
        guard byte & 0xC0 == 0x80 else {
          waiting = byte
          break
        }
        sequence.append(byte)
      }
      return String(validating: sequence, as: UTF8.self)?.unicodeScalars.first ?? "\u{FFFD}"
    }

    private mutating func nextByte(_ actor: isolated (any Actor)?) async throws -> UInt8? {
      if let byte = waiting.take() { return byte }
      return try await bytes.next(isolation: actor)
    }

    private static func length(_ first: UInt8) -> Int {
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    }
  }
}

extension AsyncUnicodeScalarSequence: Sendable where Base: Sendable {}

/// Characters out of bytes: each ends where the next begins.
public struct AsyncCharacterSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  /// A character.
  public typealias Element = Character
  private let base: Base

  init(_ base: Base) {
    self.base = base
  }

  /// Reads from the first byte on.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base.unicodeScalars.makeAsyncIterator())
  }

  /// Gathers the scalars of a character.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var scalars: AsyncUnicodeScalarSequence<Base>.AsyncIterator
    private var gathered = ""

    init(_ scalars: AsyncUnicodeScalarSequence<Base>.AsyncIterator) {
      self.scalars = scalars
    }

    /// The next character, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Character? {
      while let scalar = try await scalars.next(isolation: actor) {
        gathered.unicodeScalars.append(scalar)
        if gathered.count > 1 { return gathered.removeFirst() }
      }
      return gathered.isEmpty ? nil : gathered.removeFirst()
    }
  }
}

extension AsyncCharacterSequence: Sendable where Base: Sendable {}
