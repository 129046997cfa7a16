// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import Locking
import Transport

/// One sending of a file. A disk that blocks holds up this load alone.
///
/// Bytes in the page cache are read as they are sent, for the kernel says where that would wait (preadv2(2), RWF_NOWAIT). All
/// others are read on a queue, where the file system cannot say so one piece ahead.
final class FileBodySource: WakingSource, @unchecked Sendable {
  // Sendable: the descriptor belongs to the queue, the rest is a constant or behind the lock.
  private struct State {
    /// What was read and not sent yet; of the first piece `used` bytes are sent.
    var pieces: [BodyChunk] = []
    var used = 0
    /// Those that were sent, to be filled again.
    var spare: [BodyChunk] = []
    /// Where the next piece begins, counted from `start`.
    var next: Int64 = 0
    var isReading = false
    /// True if the file system does not say where a read would wait.
    var isBuffered = false
    /// True if the sending has asked in vain.
    var isAwaited = false
    /// How often it began anew: what was read for an earlier turn is dropped.
    var turn = 0
    var failure: String?
    var wake: (@Sendable () -> Void)?
  }

  let path: String
  /// The first byte of the file that is sent.
  let start: Int64
  /// How many bytes are sent: what the file had when it was opened.
  let length: Int64
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let state = Locked(State())
  private static let pieceSize = 256 * 1024
  /// The piece that is sent, and the next.
  private static let mostPieces = 2

  /// Opens the file, whose bytes behind the first `start` are sent. On `queue`, for it may block.
  /// - Throws: `POSIXError`, where it cannot be read or is no plain file.
  init(_ path: String, from start: Int64, on queue: DispatchQueue) throws(POSIXError) {
    // O_NONBLOCK: a FIFO must not wait for its writer.
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw POSIXError(.EINVAL)
    }
    (self.path, self.start, self.queue, self.descriptor) = (path, start, queue, descriptor)
    length = max(0, Int64(status.st_size) - start)
  }

  deinit { DispatchQueue.closeFile(descriptor) }

  var failure: String? { state.withLock { $0.failure } }

  func whenReady(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
    state.withLock { state in
      if let count = unsafe readCached(into: buffer, &state) { return .bytes(count) }
      guard let piece = state.pieces.first else {
        if state.failure != nil { return .failed }
        if state.next == length { return .end }
        state.isAwaited = true
        readOn(&state)
        return .wait
      }
      let rest = unsafe piece.bytes[state.used...]
      let count = unsafe min(buffer.count, rest.count)
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
      state.used += count
      if state.used == piece.count {
        state.spare.append(state.pieces.removeFirst())
        state.used = 0
        if state.isBuffered { readOn(&state) }
      }
      return .bytes(count)
    }
  }

  func rewind() -> Bool {
    state.withLock { state in
      state.spare += state.pieces
      (state.pieces, state.used, state.next, state.isReading, state.failure) = ([], 0, 0, false, nil)
      state.turn += 1
    }
    return true
  }

  /// Reads what lies in the page cache; nil where that is nothing, or other bytes come first.
  private func readCached(into buffer: UnsafeMutableRawBufferPointer, _ state: inout State) -> Int? {
    guard !state.isBuffered, state.pieces.isEmpty, !state.isReading, state.failure == nil, state.next < length else {
      return nil
    }
    let wanted = Int(min(Int64(buffer.count), length - state.next))
    let count = unsafe workbench_read_cached(descriptor, buffer.baseAddress, wanted, off_t(start + state.next))
    if count > 0 {
      state.next += Int64(count)
      return count
    }
    if count < 0, errno != EAGAIN { state.isBuffered = true }
    return nil
  }

  /// Reads the next piece on the queue, where there is room for one.
  private func readOn(_ state: inout State) {
    guard !state.isReading, state.failure == nil, state.next < length,
      state.pieces.count < (state.isBuffered ? Self.mostPieces : 1)
    else {
      return
    }
    state.isReading = true
    let (turn, offset) = (state.turn, state.next)
    let count = Int(min(Int64(Self.pieceSize), length - offset))
    // Each has room for any piece: one that was the last is filled again after a start anew.
    let piece = state.spare.popLast() ?? BodyChunk(capacity: Int(min(Int64(Self.pieceSize), length)))
    queue.async { [self] in fill(piece, count, at: offset, turn) }
  }

  private func fill(_ piece: BodyChunk, _ count: Int, at offset: Int64, _ turn: Int) {
    var found = unsafe pread(descriptor, piece.memory.baseAddress, count, off_t(start + offset))
    while found < 0, errno == EINTR {
      found = unsafe pread(descriptor, piece.memory.baseAddress, count, off_t(start + offset))
    }
    let reason = unsafe found == 0 ? "it became shorter" : found < 0 ? String(cString: strerror(errno)) : nil
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard turn == state.turn else { return nil }
      state.isReading = false
      if let reason {
        state.failure = "The file '\(path)' could not be sent to its end: \(reason)."
      } else {
        piece.count = found
        state.pieces.append(piece)
        state.next += Int64(found)
        if state.isBuffered { readOn(&state) }
      }
      defer { state.isAwaited = false }
      return state.isAwaited ? state.wake : nil
    }
    wake?()
  }
}
