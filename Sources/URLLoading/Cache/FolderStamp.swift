// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Whether files were added to a folder or removed: its device, inode and the times of its last changes.
struct FolderStamp: Equatable, Sendable {
  private var numbers: [Int64]
  /// The later of the two times, in nanoseconds since 1970.
  private var changed: Int64

  /// The stamp of the folder at `path`; nil where there is none.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let modified = Self.nanoseconds(status.st_mtim)
    changed = max(modified, Self.nanoseconds(status.st_ctim))
    numbers = [
      Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)), modified,
      Self.nanoseconds(status.st_ctim),
    ]
  }

  /// Whether any later change would show at `now`: the clocks of file systems tick some milliseconds at a time, and two
  /// changes within one tick look like one.
  func isSettled(at now: Int64) -> Bool { now - changed > 1_000_000_000 }

  /// The time, in nanoseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
