// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Transport

/// Reads a request's body from an InputStream, which may block, on a queue of its own, one piece ahead of the sending.
///
/// A stream cannot start again, so a body that has to be repeated fails with −1021.
final class StreamBodySource: BodySource, @unchecked Sendable {
  // Sendable: the stream is touched on the queue alone; the rest is behind the lock.
  private struct State {
    var piece: [UInt8] = []
    var offset = 0
    var isReading = false
    var isAtEnd = false
    var hasFailed = false
    var wake: (@Sendable () -> Void)?
  }

  private let stream: InputStream
  private let queue = DispatchQueue(label: "url-body-stream")
  private let state = Locked(State())
  private static let pieceSize = 128 * 1024

  init(_ stream: InputStream) {
    self.stream = stream
  }

  deinit {
    if stream.streamStatus != .notOpen { stream.close() }
  }

  /// Has `wake` called, on any thread, when bytes have come after `read` had answered that there were none.
  func whenReady(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
    let (answer, refills) = state.withLock { state -> (BodyRead, Bool) in
      let count = min(buffer.count, state.piece.count - state.offset)
      if count > 0 {
        buffer.copyBytes(from: state.piece[state.offset..<(state.offset + count)])
        state.offset += count
        return (.bytes(count), false)
      }
      if state.hasFailed { return (.failed, false) }
      if state.isAtEnd { return (.end, false) }
      defer { state.isReading = true }
      return (.wait, !state.isReading)
    }
    if refills { queue.async { self.refill() } }
    return answer
  }

  func rewind() -> Bool { false }

  private func refill() {
    if stream.streamStatus == .notOpen { stream.open() }
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    let count = stream.read(&piece, maxLength: piece.count)
    piece.removeLast(piece.count - max(0, count))
    let wake = state.withLock { [piece] state in
      state.piece = piece
      state.offset = 0
      state.isReading = false
      state.isAtEnd = count == 0
      state.hasFailed = count < 0
      return state.wake
    }
    wake?()
  }
}
