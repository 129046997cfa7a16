// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking

/// An endless stream of bytes fixed by its seed, readable at any place without holding more than a megabyte of it.
///
/// Block `n` of 64 KiB is a window into a table of random bytes; where the window starts follows from seed and `n`. So
/// pieces can be sent straight from the table, and still no two neighbouring blocks are alike: a checksum notices
/// swapped, dropped and zeroed pieces.
public struct SeededBody: Sendable {
  /// Bytes that lie in one piece in the table, and from one window to the next.
  static let blockSize: Int64 = 64 << 10

  /// The number that fixes the content.
  public let seed: UInt64
  private let table: Table

  /// The stream of this seed; tables of recently used seeds are kept, a new one takes under a millisecond.
  public init(seed: UInt64) {
    self.seed = seed
    table = Table.ofSeed(seed)
  }

  /// Writes the stream's bytes `offset ..< offset + buffer.count` into `buffer`. Any thread may call it.
  public func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
    guard let target = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let piece = piece(at: offset + Int64(done), atMost: Int64(buffer.count - done))
      (target + done).copyMemory(from: piece.bytes, byteCount: piece.count)
      done += piece.count
    }
  }

  /// The stream's bytes in this half-open range, as an array.
  public func bytes(_ range: Range<Int64>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(range.count)) { buffer, count in
      fill(UnsafeMutableRawBufferPointer(buffer), from: range.lowerBound)
      count = Int(range.count)
    }
  }

  /// Lends the stream's bytes in this half-open range, in order, in pieces of at most 64 KiB; nothing is copied.
  public func forEachPiece<Failure: Error>(
    of range: Range<Int64>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var next = range.lowerBound
    while next < range.upperBound {
      let piece = piece(at: next, atMost: range.upperBound - next)
      try body(UnsafeRawBufferPointer(start: piece.bytes, count: piece.count))
      next += Int64(piece.count)
    }
  }

  /// The checksum that a receiver of the first `size` bytes of this seed's stream must get.
  public static func checksum(seed: UInt64, size: Int64) -> UInt64 {
    checksum(seed: seed, range: 0..<size)
  }

  /// The checksum that a receiver of this half-open range of this seed's stream must get.
  public static func checksum(seed: UInt64, range: Range<Int64>) -> UInt64 {
    var sum = BodyChecksum()
    SeededBody(seed: seed).forEachPiece(of: range) { sum.update($0) }
    return sum.value
  }

  /// The longest run of bytes from `offset` that lies in one piece; valid as long as this value lives.
  func piece(at offset: Int64, atMost limit: Int64) -> (bytes: UnsafeRawPointer, count: Int) {
    let block = offset / Self.blockSize
    let inside = offset % Self.blockSize
    return (table.window(of: block) + Int(inside), Int(min(limit, Self.blockSize - inside)))
  }
}

extension SeededBody {
  /// A mebibyte of random bytes and a block more, so that a window may start anywhere in the mebibyte.
  private final class Table: @unchecked Sendable {
    // Sendable: the memory is written in init and never again.
    private static let windows = 1 << 20
    private static let recent = Locked<[Table]>([])

    private let seed: UInt64
    private let memory: UnsafeMutableRawPointer

    static func ofSeed(_ seed: UInt64) -> Table {
      if let known = recent.withLock({ tables in tables.first { $0.seed == seed } }) { return known }
      let new = Table(seed)
      recent.withLock { tables in
        tables.append(new)
        if tables.count > 8 { tables.removeFirst() }
      }
      return new
    }

    init(_ seed: UInt64) {
      self.seed = seed
      let size = Self.windows + Int(SeededBody.blockSize)
      memory = .allocate(byteCount: size, alignment: 64)
      let words = memory.bindMemory(to: UInt64.self, capacity: size / 8)
      var state = seed
      var index = 0
      while index < size / 8 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var word = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word &>> 27) &* 0x94D0_49BB_1331_11EB
        words[index] = (word ^ word &>> 31).littleEndian
        index &+= 1
      }
    }

    deinit {
      memory.deallocate()
    }

    /// Windows start at whole words, so that checksums of whole blocks run on aligned memory. An odd factor visits
    /// every word of the mebibyte before one comes again: blocks repeat after 8 GiB.
    func window(of block: Int64) -> UnsafeRawPointer {
      let mixed = (UInt64(bitPattern: block) &* 0xD6E8_FEB8_6659_FD93) &+ seed
      let place = (Int(truncatingIfNeeded: mixed) & (Self.windows / 8 - 1)) * 8
      return UnsafeRawPointer(memory) + place
    }
  }
}
