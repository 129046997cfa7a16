// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A folder of a measurement's own in /tmp, mode 0700, with its socket. A lock on it tells that the measurement lives; one
/// that was killed leaves its folder behind, and the next removes it.
struct MeasureFolder {
  private static let parent = "/tmp"
  private static let prefix = "workbench-measure-"

  let path: String
  private let lock: Int32

  init?() {
    Self.removeOrphans()
    var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    path = String(cString: made)
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      rmdir(path)
      return nil
    }
  }

  func remove() {
    unlink(path + "/ring")
    rmdir(path)
    close(lock)
  }

  /// The socket comes after the lock, so that a folder with a socket and without a lock has lost its measurement.
  private static func removeOrphans() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      var status = stat()
      guard fstat(folder, &status) == 0, status.st_uid == geteuid(), faccessat(folder, "ring", F_OK, 0) == 0,
        flock(folder, LOCK_EX | LOCK_NB) == 0
      else { continue }
      unlinkat(folder, "ring", 0)
      rmdir(path)
    }
  }
}
