// SPDX-License-Identifier: Apache-2.0
import Glibc

/// True if a file is still the same, by device, inode, owner, length and the times of its last changes. A program that does
/// not know the file cannot guess it, so that a path from resume data leads to no other file.
struct FileStamp: Equatable, Sendable {
  private var numbers: [Int64]

  /// The length of the file in bytes.
  var length: Int64 { numbers[3] }

  /// The stamp of the plain file of this user at `path`; nil for anything else.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      return nil
    }
    numbers = [
      Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_uid),
      Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
      Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
    ]
  }

  /// Numbers with spaces between them.
  var text: String { numbers.map(String.init).joined(separator: " ") }

  /// The stamp that `text` is; nil for any other text.
  init?(text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }
    guard parts.count == 8, numbers.count == 8, numbers[3] >= 0 else { return nil }
    self.numbers = numbers
  }
}
