// SPDX-License-Identifier: Apache-2.0

/// An iterator of bytes that come in pieces.
protocol PiecewiseIterator {
  /// Where the pieces are read; nil where none come. Calls the server, where that is still to be done.
  mutating func pieces() async throws -> URLSession.Pieces?
}

/// The bytes for a sequence of larger elements: as many at once as there are at hand, since each call of an asynchronous iterator
/// costs as much as looking at a hundred bytes.
///
/// A class, and not generic: what lies behind an iterator of unknown size, or has its type as an argument, costs a look into the
/// runtime's tables for each element.
final class ByteReader {
  private var pieces: URLSession.Pieces?
  private var isPrepared = false
  /// Of an iterator whose bytes come one by one.
  private var single = SingleByte()

  /// Bytes that have come and were not skipped; nil where there are none. They stand there until the next call.
  var atHand: UnsafeBufferPointer<UInt8>? {
    guard let pieces else { return unsafe single.atHand }
    return unsafe pieces.atHand
  }

  /// The first so many bytes at hand were read.
  func skip(_ count: Int) {
    if let pieces { pieces.skip(count) } else { single.isRead = count > 0 }
  }

  /// Waits for more, when there are none at hand; false at the end.
  func refill<Bytes: AsyncIteratorProtocol>(from bytes: inout Bytes) async throws -> Bool where Bytes.Element == UInt8 {
    if !isPrepared {
      isPrepared = true
      if var iterator = bytes as? any PiecewiseIterator {
        pieces = try await iterator.pieces()
        guard pieces != nil else { return false }
      }
    }
    if let pieces { return try await pieces.refill() }
    guard let byte = try await bytes.next(isolation: #isolation) else { return false }
    single.put(byte)
    return true
  }
}

/// Room for one byte. Safe: the memory lives as long as the object.
@safe
private final class SingleByte {
  private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1)
  var isRead = true

  var atHand: UnsafeBufferPointer<UInt8>? { isRead ? nil : unsafe UnsafeBufferPointer(memory) }

  func put(_ byte: UInt8) {
    unsafe memory.initialize(repeating: byte)
    isRead = false
  }

  deinit { unsafe memory.deallocate() }
}
