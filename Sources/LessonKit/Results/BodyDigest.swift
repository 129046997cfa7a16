// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import LessonServer
import Locking
import Timeline

/// The checksum of one load's body, from the pieces its callbacks are given or from the file of a finished download.
final class BodyDigest: Sendable {
  private let sum = Locked(BodyChecksum())

  /// Bytes taken in so far and their checksum in 16 hexadecimal digits, as `text(of:)` writes it.
  var result: (bytes: Int64, checksum: String) {
    sum.withLock { ($0.count, Self.text(of: $0.value)) }
  }

  /// Takes in a callback's bytes or file; anything else leaves the checksum as it is.
  func take(_ payload: TimelineEvent.Payload) {
    switch payload {
    case .bytes(let bytes):
      sum.withLock { $0.update(bytes) }
    case .file(let path):
      takeFile(path)
    default:
      break
    }
  }

  /// A checksum as text, all 16 digits.
  static func text(of value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Takes in the file from that byte on. Reads in pieces of 64 KiB, so that looking at it costs the example no memory to speak of.
  func takeFile(_ path: String, from start: Int64 = 0) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    lseek(file, Int(start), SEEK_SET)
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 64) { buffer in
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        sum.withLock { $0.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      }
    }
  }
}

/// The processor time of the calling thread.
enum ThreadClock {
  /// Nanoseconds used so far (CLOCK_THREAD_CPUTIME_ID).
  static func now() -> Int { Int(workbench_thread_processor_nanoseconds()) }
}
