// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A stream to a file that takes at most 16 KiB at a time, as a stream over a
/// pipe or a socket may.
final class NarrowStream: OutputStream {
  override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
    super.write(buffer, maxLength: min(maxLength, 16 << 10))
  }
}
