// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Which executables are started without a person's word.
package enum ProgramFile {
  /// Why the agent's program at `path` is not to be started, in a sentence; nil where it can be. `owners` may have written it.
  package static func objection(to path: String, owners: Set<UInt32>) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "'\(path)' cannot be found: \(systemReason())." }
    guard status.st_mode & S_IFMT == S_IFREG, unsafe access(path, X_OK) == 0 else {
      return "'\(path)' cannot be executed."
    }
    return objection(to: status, at: path, owners: owners)
  }

  static func objection(to status: stat, at path: String, owners: Set<UInt32>) -> String? {
    guard owners.contains(status.st_uid) else { return "'\(path)' belongs to another user." }
    guard status.st_mode & S_IWOTH == 0 else { return "'\(path)' can be written by every user." }
    guard status.st_mode & (S_ISUID | S_ISGID) == 0, unsafe getxattr(path, "security.capability", nil, 0) < 0 else {
      return "'\(path)' gets rights of its own when it is started (setuid, setgid or capabilities)."
    }
    return nil
  }
}
