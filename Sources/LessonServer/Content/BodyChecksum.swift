// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A streaming 64-bit checksum that depends on every byte and on its place: XXH64 with seed 0.
///
/// Swapped, dropped, repeated or zeroed pieces change it; how the stream was cut into pieces does not. It serves to
/// notice damage, not attackers. `xxhsum -H64` prints the same number, so a file can be checked by hand.
/// Source: the xxHash specification, section "XXH64 algorithm description".
public struct BodyChecksum: Sendable {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (prime1 &+ prime2, prime2, 0, 0 &- prime1)
  /// The bytes after the last whole 32-byte stripe, `count % 32` of them.
  private var tail: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// How many bytes were taken in so far.
  public private(set) var count: Int64 = 0

  /// The checksum of no bytes.
  public init() {}

  /// The checksum of these bytes alone.
  public init(of bytes: some Sequence<UInt8>) {
    update(Array(bytes))
  }

  /// Takes in the next bytes of the stream; the memory is only read during the call.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    var next = start
    var left = bytes.count
    let held = Int(count % 32)
    count += Int64(left)
    if held > 0 {
      let taken = min(32 - held, left)
      appendToTail(next, taken, at: held)
      next += taken
      left -= taken
      guard held + taken == 32 else { return }
      let stripe = tail
      withUnsafeBytes(of: stripe) { mixAligned($0) }
    }
    let whole = left & ~31
    if whole > 0 { mix(UnsafeRawBufferPointer(start: next, count: whole)) }
    if left > whole { appendToTail(next + whole, left - whole, at: 0) }
  }

  /// Takes in the next bytes of the stream.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The checksum of all bytes taken in so far; more may follow.
  public var value: UInt64 {
    var hash = count >= 32 ? joinedLanes : Self.prime5
    hash = hash &+ UInt64(truncatingIfNeeded: count)
    withUnsafeBytes(of: tail) { hash = Self.absorb($0.prefix(Int(count % 32)), into: hash) }
    hash = (hash ^ hash &>> 33) &* Self.prime2
    hash = (hash ^ hash &>> 29) &* Self.prime3
    return hash ^ hash &>> 32
  }

  private mutating func appendToTail(_ bytes: UnsafeRawPointer, _ count: Int, at place: Int) {
    withUnsafeMutableBytes(of: &tail) { tail in
      UnsafeMutableRawBufferPointer(rebasing: tail[place...]).copyMemory(
        from: UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }

  /// Mixes whole stripes; memory not aligned to words is copied in small steps, because a typed load needs alignment.
  private mutating func mix(_ stripes: UnsafeRawBufferPointer) {
    guard let base = stripes.baseAddress, Int(bitPattern: base) & 7 != 0 else { return mixAligned(stripes) }
    withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { scratch in
      var done = 0
      while done < stripes.count {
        let step = min(scratch.count, stripes.count - done)
        scratch.copyMemory(from: UnsafeRawBufferPointer(start: base + done, count: step))
        mixAligned(UnsafeRawBufferPointer(start: scratch.baseAddress, count: step))
        done += step
      }
    }
  }

  /// The hot loop, on transparent operations only, so that a debug build is fast enough for tests, too.
  private mutating func mixAligned(_ stripes: UnsafeRawBufferPointer) {
    guard let words = stripes.baseAddress?.assumingMemoryBound(to: UInt64.self) else { return }
    let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    let count = stripes.count &>> 3
    var (a, b, c, d) = lanes
    var index = 0
    while index < count {
      a = a &+ words[index] &* prime2
      a = (a &<< 31 | a &>> 33) &* prime1
      b = b &+ words[index &+ 1] &* prime2
      b = (b &<< 31 | b &>> 33) &* prime1
      c = c &+ words[index &+ 2] &* prime2
      c = (c &<< 31 | c &>> 33) &* prime1
      d = d &+ words[index &+ 3] &* prime2
      d = (d &<< 31 | d &>> 33) &* prime1
      index = index &+ 4
    }
    lanes = (a, b, c, d)
  }

  private var joinedLanes: UInt64 {
    let (a, b, c, d) = lanes
    var hash = Self.rotate(a, 1) &+ Self.rotate(b, 7) &+ Self.rotate(c, 12) &+ Self.rotate(d, 18)
    for lane in [a, b, c, d] {
      hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
    }
    return hash
  }

  private static func absorb(_ rest: Slice<UnsafeRawBufferPointer>, into start: UInt64) -> UInt64 {
    var hash = start
    var rest = UnsafeRawBufferPointer(rebasing: rest)
    while rest.count >= 8 {
      hash = rotate(hash ^ round(0, rest.loadUnaligned(as: UInt64.self).littleEndian), 27) &* prime1 &+ prime4
      rest = UnsafeRawBufferPointer(rebasing: rest[8...])
    }
    if rest.count >= 4 {
      let word = UInt64(rest.loadUnaligned(as: UInt32.self).littleEndian)
      hash = rotate(hash ^ word &* prime1, 23) &* prime2 &+ prime3
      rest = UnsafeRawBufferPointer(rebasing: rest[4...])
    }
    for byte in rest {
      hash = rotate(hash ^ UInt64(byte) &* prime5, 11) &* prime1
    }
    return hash
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  private static func rotate(_ word: UInt64, _ places: UInt64) -> UInt64 {
    word &<< places | word &>> (64 - places)
  }
}
