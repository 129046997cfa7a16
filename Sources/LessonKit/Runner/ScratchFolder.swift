// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The folder of one run, with a folder for each example in it, all removed at the end.
///
/// Problem: a run that is killed removes nothing. Choice: the run holds a lock on a file in its folder, which the kernel
/// lets go with the process, and the next run removes every folder of this user whose lock is free. A process number would
/// not do, since containers that share a folder for temporary files have numbers of their own. The folder gets the name
/// that the next run looks for only when its lock is held.
struct ScratchFolder: Sendable {
  private static let prefix = "workbench-run-"
  private static let lockFile = "lock"

  private let path: String
  private let lock: Int32

  /// Makes the run's folder where this system keeps temporary files, and removes what killed runs left there.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be made; the text says why and what helps.
  init() throws(LessonKitError) {
    try self.init(in: FileManager.default.temporaryDirectory.path)
  }

  init(in parent: String) throws(LessonKitError) {
    Self.removeAbandoned(in: parent)
    var template = Array((parent + "/workbench-new-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw Self.cannotWrite(parent, errno) }
    let new = String(cString: made)
    lock = open("\(new)/\(Self.lockFile)", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    path = "\(parent)/\(Self.prefix)\(new.suffix(6))"
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(new, path) == 0 else {
      let code = errno
      if lock >= 0 { close(lock) }
      remove(new)
      throw Self.cannotWrite(parent, code)
    }
  }

  /// A new, empty folder in it.
  func makeSubfolder() throws(LessonKitError) -> String {
    let folder = path + "/" + UUID().uuidString
    guard mkdir(folder, 0o700) == 0 else { throw Self.cannotWrite(path, errno) }
    return folder
  }

  /// The room in it for the files of these examples.
  func space(for examples: [Example], bodyBytes: Int, jobs: Int) -> DiskSpace {
    DiskSpace(in: path, for: examples, bodyBytes: bodyBytes, jobs: jobs)
  }

  /// Writes a file into it, or into one of its folders, and answers its path.
  @discardableResult
  func write(_ text: String, named name: String, in folder: String? = nil) throws(LessonKitError) -> String {
    let file = (folder ?? path) + "/" + name
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw Self.cannotWrite(path, errno)
    }
    return file
  }

  /// Removes one of its folders and all that is in it.
  func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Removes the run's folder and all that is in it. Call it once.
  func remove() {
    remove(path)
    close(lock)
  }

  // MARK: - What killed runs left

  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) { removeIfAbandoned("\(parent)/\(name)") }
  }

  /// Removes a folder of this user, no symbolic link, whose lock no process holds.
  private static func removeIfAbandoned(_ folder: String) {
    guard isOwn(folder, .typeDirectory), isOwn("\(folder)/\(lockFile)", .typeRegular) else { return }
    let lock = open("\(folder)/\(lockFile)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard lock >= 0 else { return }
    defer { close(lock) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// True if it is this user's and of this kind; a symbolic link is not followed. (lstat's members are out of sight here:
  /// this module sees CoreFoundation.)
  private static func isOwn(_ path: String, _ kind: FileAttributeType) -> Bool {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
    let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
    return attributes[.type] as? FileAttributeType == kind && owner == geteuid()
  }

  private static func cannotWrite(_ folder: String, _ code: Int32) -> LessonKitError {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return switch code {
    case ENOSPC, EDQUOT:
      LessonKitError(
        .environment,
        "No folder for the examples' files could be made in \(folder): \(reason). Free some space there, or set TMPDIR to a folder on another disk."
      )
    default:
      LessonKitError(
        .environment,
        "No folder for the examples' files could be made in \(folder): \(reason). Set TMPDIR to a folder that you may write to."
      )
    }
  }
}
