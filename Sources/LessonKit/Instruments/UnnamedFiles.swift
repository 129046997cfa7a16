// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The files that this process has open and that no folder names any more: private copies on disk.
///
/// The link of such a file below /proc/self/fd ends with ` (deleted)` (proc(5)). Opened through that link the file has a
/// position of its own, so asking for its end moves no position of the program's. Looking allocates nothing.
final class UnnamedFiles: @unchecked Sendable {
  // Sendable: the instruments' thread alone uses the buffers.
  private static let descriptors: Int32 = 128
  private static let folder: StaticString = "/proc/self/fd/"
  private static let mark: StaticString = " (deleted)"

  private let path = UnsafeMutablePointer<CChar>.allocate(capacity: 32)
  private let target = UnsafeMutablePointer<CChar>.allocate(capacity: 512)

  init() {
    path.initialize(repeating: 0, count: 32)
    target.initialize(repeating: 0, count: 512)
    memcpy(path, Self.folder.utf8Start, Self.folder.utf8CodeUnitCount)
  }

  deinit {
    path.deallocate()
    target.deallocate()
  }

  /// The bytes of all such files among the first descriptors.
  func bytes() -> Int {
    var sum = 0
    for descriptor in 3..<Self.descriptors where isUnnamed(descriptor) { sum += size() }
    return sum
  }

  /// True if the descriptor's file has no name; its link is in `path` afterwards.
  private func isUnnamed(_ descriptor: Int32) -> Bool {
    write(descriptor)
    let count = readlink(path, target, 512)
    let length = Self.mark.utf8CodeUnitCount
    return count > length && memcmp(target + (count - length), Self.mark.utf8Start, length) == 0
  }

  private func size() -> Int {
    let copy = open(path, O_RDONLY | O_CLOEXEC)
    guard copy >= 0 else { return 0 }
    defer { close(copy) }
    return max(0, lseek(copy, 0, SEEK_END))
  }

  /// Puts the number behind the folder, with a zero at its end.
  private func write(_ number: Int32) {
    var place = Self.folder.utf8CodeUnitCount
    var unit: Int32 = number >= 100 ? 100 : number >= 10 ? 10 : 1
    while unit > 0 {
      path[place] = CChar(48 + number / unit % 10)
      place += 1
      unit /= 10
    }
    path[place] = 0
  }
}
