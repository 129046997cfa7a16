// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A stream to a file that takes from 1 byte to 16 KiB at a time, as it happens, and only so many bytes in all.
///
/// It notes the sum of the bytes that it took: a program that writes the file beside it hands in another.
final class NarrowStream: OutputStream {
  private static let width = 16 << 10
  /// How many bytes it still takes.
  var room = Int.max
  private var sum = 0
  private var isFull = false
  private var isClosed = false

  override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
    guard room > 0 else {
      isFull = true
      return -1
    }
    let taken = super.write(buffer, maxLength: min(maxLength, room, .random(in: 1...Self.width)))
    guard taken > 0 else { return taken }
    room -= taken
    sum += UnsafeBufferPointer(start: buffer, count: taken).reduce(0) { $0 + Int($1) }
    return taken
  }

  override var streamStatus: Status { isFull ? .error : super.streamStatus }

  /// Foundation's own ends the process where there is none.
  override var streamError: (any Error)? {
    isFull ? CocoaError(.fileWriteOutOfSpace) : super.streamStatus == .error ? super.streamError : nil
  }

  override func close() {
    super.close()
    guard !isClosed else { return }
    isClosed = true
    ProgramObserver.shared.show(.result, "\(sum)")
  }
}
