// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// An empty file of a session's folder that says one thing of a task. It outlives a kill of the agent before that has written
/// the same into its journal, and needs no room on a disk that is full. The agent removes it with the task.
package enum TaskMark: String, CaseIterable, Sendable {
  /// The request is on its way, or has ended: set where it is not to be sent again.
  case sent
  /// The program was told the end.
  case delivered

  private func path(of key: UUID, in folder: URL) -> String {
    folder.appendingPathComponent("\(rawValue)-\(key.uuidString)").path
  }

  /// Sets the mark. Nil, or why the disk takes none.
  @discardableResult package func set(on key: UUID, in folder: URL) -> POSIXError? {
    let descriptor = unsafe open(path(of: key, in: folder), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    close(descriptor)
    return nil
  }

  package func remove(from key: UUID, in folder: URL) { unsafe unlink(path(of: key, in: folder)) }

  package func isSet(on key: UUID, in folder: URL) -> Bool { DiskFile.isFile(path(of: key, in: folder)) }

  /// Removes all marks of a task.
  package static func remove(_ key: UUID, in folder: URL) {
    for mark in allCases { mark.remove(from: key, in: folder) }
  }
}
