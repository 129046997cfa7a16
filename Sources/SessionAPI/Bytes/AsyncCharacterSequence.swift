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
    private let scalars = ScalarReader()
    private var bytes: Base.AsyncIterator

    init(_ bytes: Base.AsyncIterator) {
      self.bytes = bytes
    }

    /// The next scalar, or nil at the end.
    public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> Unicode.Scalar? {
      while true {
        if let scalar = scalars.next() { return scalar }
        if try await !scalars.bytes.refill(from: &bytes) { return scalars.last() }
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
    AsyncIterator(base.makeAsyncIterator())
  }

  /// Gathers the scalars of a character.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let characters = CharacterReader()
    private var bytes: Base.AsyncIterator

    init(_ bytes: Base.AsyncIterator) {
      self.bytes = bytes
    }

    /// The next character, or nil at the end.
    public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> Character? {
      while true {
        if let character = characters.next() { return character }
        if try await !characters.scalars.bytes.refill(from: &bytes) { return characters.last() }
      }
    }
  }
}

extension AsyncCharacterSequence: Sendable where Base: Sendable {}

/// Scalars out of the bytes at hand.
private final class ScalarReader {
  let bytes = ByteReader()
  private var decoder = ScalarDecoder()

  /// The next scalar whose bytes are at hand; nil where there is none.
  func next() -> Unicode.Scalar? {
    while let atHand = unsafe bytes.atHand {
      let (count, scalar) = unsafe decoder.take(atHand)
      bytes.skip(count)
      if let scalar { return scalar }
    }
    return nil
  }

  /// There are no more bytes.
  func last() -> Unicode.Scalar? { decoder.rest() }
}

/// Characters out of the bytes at hand.
private final class CharacterReader {
  let scalars = ScalarReader()
  private var gathered = ""

  /// The next character behind which another one begins in the bytes at hand; nil where there is none.
  func next() -> Character? {
    while let scalar = scalars.next() {
      if let character = add(scalar) { return character }
    }
    return nil
  }

  /// There are no more bytes: the character before the last scalar, or the last; nil where all were given.
  func last() -> Character? {
    if let scalar = scalars.last(), let character = add(scalar) { return character }
    return gathered.isEmpty ? nil : gathered.removeFirst()
  }

  /// The character that ends where this scalar begins another one.
  private func add(_ scalar: Unicode.Scalar) -> Character? {
    gathered.unicodeScalars.append(scalar)
    return gathered.count > 1 ? gathered.removeFirst() : nil
  }
}

/// Scalars out of bytes, which may come in any pieces. Pure.
struct ScalarDecoder {
  /// The bytes of a scalar that have come, where some have not.
  private var sequence: [UInt8] = []

  /// Takes the bytes of one scalar, or all: how many, and the scalar; U+FFFD for what is no UTF-8.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> (Int, Unicode.Scalar?) {
    var index = 0
    if sequence.isEmpty {
      let first = unsafe bytes[0]
      if first < 0x80 { return (1, Unicode.Scalar(first)) }
      sequence.append(first)
      index = 1
    }
    let length = Self.length(sequence[0])
    while sequence.count < length, index < bytes.count {
      let byte = unsafe bytes[index]
      guard byte & 0xC0 == 0x80 else { return (index, rest()) }
      sequence.append(byte)
      index += 1
    }
    return (index, sequence.count < length ? nil : rest())
  }

  /// Decodes the bytes that have come as all there are: nil where none have.
  mutating func rest() -> Unicode.Scalar? {
    guard !sequence.isEmpty else { return nil }
    defer { sequence.removeAll(keepingCapacity: true) }
    return String(validating: sequence, as: UTF8.self)?.unicodeScalars.first ?? "\u{FFFD}"
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
