// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking

/// Body bytes between the I/O thread, which appends them, and a delegate, which takes them.
///
/// It keeps callbacks few and memory bounded: bytes are gathered in chunks of 512 KiB, a full chunk becomes one `Data`
/// without being copied again, and its memory comes back when that `Data` goes. One MiB may wait.
final class BodyBuffer: Sendable {
  /// How much may wait, in bytes.
  static let window = 1024 * 1024
  private static let chunkSize = 512 * 1024
  /// As many as fit the window, and the one the delegate looks at: with fewer, memory would go back to the system and
  /// come again with every piece, which costs more than copying the bytes.
  private static let spareLimit = window / chunkSize + 1
  private static let smallChunk = 32 * 1024

  private struct State {
    var chunks: [BodyChunk] = []
    /// Blocks to use again, the last one first, since its bytes are still in a cache.
    var spares: [BodyChunk] = []
    var waiting = 0
    var isAnnounced = false
    /// Bytes that have ever been appended: large bodies get large chunks at once.
    var total = 0

    /// Takes the first chunk off, or its front where it has more than `limit` bytes.
    mutating func take(atMost limit: Int) -> (chunk: BodyChunk?, opens: Bool) {
      guard let chunk = chunks.first else {
        isAnnounced = false
        return (nil, false)
      }
      let wasFull = waiting >= BodyBuffer.window
      var taken = chunk
      if chunk.count <= limit {
        chunks.removeFirst()
      } else {
        taken = BodyChunk(capacity: limit)
        var rest = unsafe chunk.bytes[...]
        unsafe taken.take(from: &rest)
        unsafe chunk.memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest))
        chunk.count -= limit
      }
      waiting -= taken.count
      if waiting == 0 { isAnnounced = false }
      return (taken, wasFull && waiting < BodyBuffer.window)
    }
  }

  private let state = Locked(State())

  /// The findings of `append`.
  struct Appended {
    /// The client has not been called for these bytes yet.
    var needsAnnouncement: Bool
    /// Enough waits for a callback that is worth its cost.
    var isWorthwhile: Bool
    /// No more may come until something is taken.
    var isFull: Bool
  }

  /// Copies the bytes behind those that wait.
  func append(_ bytes: UnsafeRawBufferPointer) -> Appended {
    state.withLock { state in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let chunk = unsafe Self.chunkWithRoom(&state, expecting: rest.count)
        unsafe chunk.take(from: &rest)
      }
      state.waiting += bytes.count
      state.total += bytes.count
      return Appended(
        needsAnnouncement: !state.isAnnounced, isWorthwhile: state.waiting >= Self.chunkSize,
        isFull: state.waiting >= Self.window)
    }
  }

  /// True if bytes wait that were not announced to the client; they count as announced from now on.
  func announce() -> Bool {
    state.withLock { state in
      guard state.waiting > 0, !state.isAnnounced else { return false }
      state.isAnnounced = true
      return true
    }
  }

  /// Takes the next bytes, at most `limit`; nil when there are none. `opens` says that the buffer had been full and
  /// is not any more.
  func take(atMost limit: Int) -> (data: Data?, opens: Bool) {
    let (taken, opens) = state.withLock { $0.take(atMost: limit) }
    return (taken.map { lend($0) }, opens)
  }

  /// True if bytes wait.
  var isEmpty: Bool { state.withLock { $0.waiting == 0 } }

  private static func chunkWithRoom(_ state: inout State, expecting count: Int) -> BodyChunk {
    if let last = state.chunks.last, last.room > 0 { return last }
    let isSmall = state.total + count <= smallChunk
    let chunk = isSmall ? nil : state.spares.popLast()
    let fresh = chunk ?? BodyChunk(capacity: isSmall ? smallChunk : chunkSize)
    state.chunks.append(fresh)
    return fresh
  }

  /// A `Data` over the chunk's memory, which comes back when the `Data` goes. Not under the lock: a `Data` of a few bytes
  /// holds them itself and gives the memory back at once.
  private func lend(_ chunk: BodyChunk) -> Data {
    guard let address = unsafe chunk.memory.baseAddress else { return Data() }
    let keeper = unsafe Unmanaged.passRetained(chunk)
    return unsafe Data(
      bytesNoCopy: address, count: chunk.count,
      deallocator: .custom { [weak self] _, _ in
        let chunk = unsafe keeper.takeRetainedValue()
        self?.keep(chunk)
      })
  }

  private func keep(_ chunk: BodyChunk) {
    guard unsafe chunk.memory.count == Self.chunkSize else { return }
    state.withLock { state in
      chunk.count = 0
      if state.spares.count < Self.spareLimit { state.spares.append(chunk) }
    }
  }
}
