// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// Files of a session's folder.
package enum DiskFile {
  /// Brings the bytes of a file to the disk. Returns 0, or the system's reason (errno) why they may not be there.
  package static func sync(_ path: String) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// True if a plain file is there, which no link is.
  package static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes of a file, whatever becomes of its name; nil where it cannot be read. They take memory only as they are looked
  /// at, which the kernel can take back. Foundation would never give back the page that it maps of an empty file.
  package static func mapped(_ file: URL) -> Data? {
    var status = stat()
    if unsafe stat(file.path, &status) == 0, status.st_size == 0 { return Data() }
    return try? Data(contentsOf: file, options: .alwaysMapped)
  }

  /// The place of a file that a journal or a message names; nil for a name that leads out of `folder`.
  package static func place(of name: String, in folder: URL) -> URL? {
    guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0) else { return nil }
    return folder.appendingPathComponent(name)
  }
}
