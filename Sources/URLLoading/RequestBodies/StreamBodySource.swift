// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// A source that has bytes only later, and says when.
protocol WakingSource: BodySource {
  /// Has `wake` called, on any thread, when bytes have arrived after `read` had answered that there were none.
  func whenReady(_ wake: @escaping @Sendable () -> Void)
}

/// One sending of a `BodyStream`, from its first byte. Each transfer has its own, so that one which is being cancelled
/// takes nothing away from the next.
final class StreamBodySource: WakingSource, @unchecked Sendable {
  // Sendable: `offset` is touched on the I/O thread alone.
  let stream: BodyStream
  private var offset: Int64 = 0

  init(_ stream: BodyStream) {
    self.stream = stream
  }

  func whenReady(_ wake: @escaping @Sendable () -> Void) { stream.whenReady(wake) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
    let answer = unsafe stream.read(into: buffer, at: offset)
    if case .bytes(let count) = answer { offset += Int64(count) }
    return answer
  }

  /// Not by itself: whether a stream is repeated, and from where, is asked one floor up (`BodySupply`).
  func rewind() -> Bool { false }
}
