// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Bytes that have arrived and were not yet taken, in one piece of memory that grows to what is needed.
struct InputBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var start = 0
  private var end = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit {
    memory.deallocate()
  }

  /// The bytes, valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory + start, count: end - start) }

  var count: Int { end - start }

  mutating func consume(_ count: Int) {
    start += count
    if start == end {
      start = 0
      end = 0
    }
  }

  /// Free memory behind the bytes, at least this much.
  mutating func room(_ minimum: Int) -> UnsafeMutableRawBufferPointer {
    if capacity - end < minimum {
      if capacity - count >= minimum {
        memmove(memory, memory + start, count)
      } else {
        let larger = max(capacity * 2, count + minimum)
        let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        new.copyMemory(from: memory + start, byteCount: count)
        memory.deallocate()
        memory = new
        capacity = larger
      }
      end -= start
      start = 0
    }
    return UnsafeMutableRawBufferPointer(start: memory + end, count: capacity - end)
  }

  mutating func append(_ count: Int) {
    end += count
  }

  /// The index after the next line feed from `place` on, or nil.
  func endOfLine(from place: Int) -> Int? {
    guard place < count, let found = memchr(memory + start + place, 10, count - place) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(memory + start) + 1
  }
}
