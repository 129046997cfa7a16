// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Keeps a compiled program in the cache for as long as this object lives.
///
/// Problem: a grader starts a program several times over, and other graders that compile meanwhile make room. Choice: who
/// uses a program holds a shared lock (flock(2)) on a file in its folder, and who makes room takes the lock alone before it
/// removes the folder. The kernel lets a lock go with its process, so a grader that is killed keeps nothing.
final class ProgramHold: Sendable, Hashable {
  static let fileName = "lock"

  private let descriptor: Int32
  private let inode: ino_t

  /// Holds the program in `folder`; nil where there is none, or where a process removes it.
  init?(_ folder: URL) {
    guard let (descriptor, inode) = Self.lock(folder, O_RDONLY, LOCK_SH) else { return nil }
    (self.descriptor, self.inode) = (descriptor, inode)
  }

  deinit { close(descriptor) }

  /// Makes what is locked in a new folder, and holds it.
  ///
  /// - Returns: nil with errno set where the folder takes no file.
  static func made(in folder: URL) -> ProgramHold? {
    let file = open(folder.appendingPathComponent(fileName).path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    close(file)
    return ProgramHold(folder)
  }

  /// Calls `remove` while no process holds what is in `folder`, and none can. Where one holds it, nothing happens. A folder
  /// without anything to lock is a remnant, which no process uses.
  static func whenFree(_ folder: URL, remove: () -> Void) {
    if access(folder.appendingPathComponent(fileName).path, F_OK) != 0, errno == ENOENT { return remove() }
    guard let (descriptor, _) = lock(folder, O_RDWR, LOCK_EX) else { return }
    defer { close(descriptor) }
    remove()
  }

  /// The locked file, if it still lies in its folder: a lock may come when the file was removed.
  private static func lock(_ folder: URL, _ mode: Int32, _ kind: Int32) -> (Int32, ino_t)? {
    let descriptor = open(folder.appendingPathComponent(fileName).path, mode | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard flock(descriptor, kind | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      close(descriptor)
      return nil
    }
    return (descriptor, status.st_ino)
  }

  /// Holds of the same program are equal.
  static func == (first: ProgramHold, second: ProgramHold) -> Bool { first.inode == second.inode }

  func hash(into hasher: inout Hasher) { hasher.combine(inode) }

  /// Holds the program until this process ends.
  func untilExit() { _ = Unmanaged.passRetained(self) }
}
