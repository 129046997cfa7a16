// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The facts that tell a file from the one that lay at its path before: inode, size and time of the last change.
package struct FileStamp: CustomStringConvertible, Hashable, Sendable {
  /// Path, inode, size and time; equal texts are the same state of the same file.
  package let description: String

  /// The stamp of the file behind `path`, or nil when there is none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let time = status.st_mtim
    description = "\(path) \(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }
}
