// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
package import Pitfalls

/// A ring of events in memory, between the program that writes them and the one reader. The writer never waits: what does
/// not fit is counted and left out.
@safe
package final class EventRing: @unchecked Sendable {
  // Sendable, and safe: the pointer is constant, and the ring's offsets are atomic. One thread at a time writes, and one reads.
  private let ring: OpaquePointer
  private var room = [UInt8](repeating: 0, count: 1 << 16)

  /// The ring of `file`, or with nil one of this process alone; nil where it cannot be mapped.
  package init?(file: Int32? = nil) {
    guard let ring = unsafe workbench_ring_map(file ?? -1) else { return nil }
    unsafe self.ring = ring
  }

  deinit {
    unsafe workbench_ring_unmap(ring)
  }

  /// Adds a record, or answers that there is no room.
  func put(_ writer: RecordWriter) -> Bool {
    unsafe writer.bytes.withUnsafeBytes { bytes in
      unsafe workbench_ring_put(ring, bytes.baseAddress, UInt16(clamping: bytes.count)) == 1
    }
  }

  /// Says that nobody reads it any more.
  package func leave() { unsafe workbench_ring_leave(ring) }

  /// True if the reader has gone.
  var isLeft: Bool { unsafe workbench_ring_is_left(ring) != 0 }

  /// What the reader found.
  package enum Found {
    case event(ProgramEvent)
    /// The program is about to end, in order.
    case ending(instant: Int64)
    /// Events found no room. Of what is numbered above `newest`, everything follows.
    case gap(lost: Int, newest: UInt64)
    /// Bytes that no recorder of this version wrote.
    case nonsense
  }

  /// Takes the next record; nil where there is none.
  package func take() -> Found? {
    let count = unsafe room.withUnsafeMutableBytes { unsafe workbench_ring_take(ring, $0.baseAddress) }
    guard count != 0 else { return nil }
    guard count > 0 else { return .nonsense }
    var reader = RecordReader(room[..<Int(count)])
    switch count {
    case RecordWriter.endingLength: return (try? reader.instant()).map(Found.ending) ?? .nonsense
    case RecordWriter.gapLength:
      guard let lost = try? reader.unsigned(), let newest = try? reader.unsigned() else { return .nonsense }
      return .gap(lost: Int(clamping: lost), newest: newest)
    default: return EventCodec.event(in: room[..<Int(count)]).map(Found.event) ?? .nonsense
    }
  }

  /// How many records found no room.
  package var dropped: Int { Int(clamping: unsafe workbench_ring_dropped(ring)) }
}
