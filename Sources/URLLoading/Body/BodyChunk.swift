// SPDX-License-Identifier: Apache-2.0

/// A block of memory that body bytes are gathered in.
///
/// It is aligned to a page, as a write that bypasses the page cache asks for (open(2), O_DIRECT).
/// Safe to hold: only reading through its pointers is not, and is marked where it happens.
@safe
final class BodyChunk: @unchecked Sendable {
  // Sendable: its holder passes it on whole; no two threads use it at a time.
  let memory: UnsafeMutableRawBufferPointer
  /// Bytes that are filled, from the first on.
  var count = 0
  /// How many may be filled; all that there is memory for, unless it is set.
  var limit: Int

  init(capacity: Int) {
    unsafe memory = .allocate(byteCount: capacity, alignment: 4096)
    limit = capacity
  }

  deinit { unsafe memory.deallocate() }

  var room: Int { limit - count }

  /// The bytes that are filled.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory.prefix(count)) }

  /// Copies as much of the front of `bytes` as there is room for, and takes it off.
  func take(from bytes: inout Slice<UnsafeRawBufferPointer>) {
    let taken = unsafe min(room, bytes.count)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(taken)))
    count += taken
    unsafe bytes = bytes.dropFirst(taken)
  }
}
