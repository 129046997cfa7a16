// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The beginning of a download in a file of ours: as an earlier load left it, or opened again.
final class PartialFile: @unchecked Sendable {
  // Sendable: one owner at a time uses it: the disk queue, the load, or the receiver of the load's end.

  /// Where it is.
  let url: URL
  /// Bytes in it.
  let count: Int64
  /// Its inode.
  let number: UInt64
  private var descriptor: Int32 = -1
  /// True if the file goes with this object: it could not be resumed.
  private var isDisposable: Bool

  /// The pattern from which mkostemps(3) makes the names of downloads.
  static let namePattern = nameBeginning + "XXXXXX" + nameEnding
  static let nameEnding = ".tmp"
  private static let nameBeginning = "CFNetworkDownload_"

  /// True if `name` can be that of a download: one component that leads nowhere else.
  static func isName(_ name: String) -> Bool {
    let middle = name.utf8.dropFirst(nameBeginning.utf8.count).dropLast(nameEnding.utf8.count)
    return name.hasPrefix(nameBeginning) && name.hasSuffix(nameEnding) && middle.count == 6
      && name.utf8.count == namePattern.utf8.count
      && middle.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
  }

  /// A closed file that a load has written; it is removed again unless `keep()` is called.
  init(_ url: URL, count: Int64, number: UInt64) {
    (self.url, self.count, self.number) = (url, count, number)
    isDisposable = true
  }

  /// Opens the file that `record` describes, never through a link, and makes sure that it is the very one: a plain file
  /// of this user alone, under one name, with all the bytes that count. It may block.
  ///
  /// - Throws: A sentence that says why it is not.
  convenience init(of record: ResumeRecord, in directory: URL) throws(ResumeRefusal) {
    try self.init(named: record.fileName, number: record.fileNumber, count: record.received, in: directory)
  }

  /// The same for a file of this name and inode with so many bytes.
  init(named name: String, number: UInt64, count: Int64, in directory: URL) throws(ResumeRefusal) {
    guard Self.isName(name) else { throw ResumeRefusal("'\(name)' is no file of a download.") }
    (self.count, self.number, isDisposable) = (count, number, false)
    url = directory.appendingPathComponent(name)
    // O_NONBLOCK: a FIFO of that name must not hold up the thread.
    descriptor = unsafe open(url.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      let reason = unsafe String(cString: strerror(cause.code.rawValue))
      throw ResumeRefusal("The file '\(name)' cannot be opened: \(reason).", cause: cause)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_nlink == 1, status.st_mode & 0o077 == 0, UInt64(status.st_ino) == number
    else { throw ResumeRefusal("The file '\(name)' is not the one that the download wrote.") }
    guard Int64(status.st_size) >= count else {
      throw ResumeRefusal("The file '\(name)' has lost bytes.")
    }
    guard Self.claim(descriptor) else {
      throw ResumeRefusal("The file '\(name)' is in use by another download.")
    }
  }

  deinit {
    if descriptor >= 0 { Self.release(descriptor) }
    var status = stat()
    // The folder may have become another one: what is removed must be this file.
    if isDisposable, unsafe lstat(url.path, &status) == 0, UInt64(status.st_ino) == number { unsafe unlink(url.path) }
  }

  /// Locks an open file until it is closed; false when another process has done so.
  @discardableResult
  static func claim(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Unlocks and closes an open file; -1 with `errno` set when closing fails. A process that was just forked has the file
  /// open, too, until it executes its program: without unlocking, the file would be locked as long.
  @discardableResult
  static func release(_ descriptor: Int32) -> Int32 {
    flock(descriptor, LOCK_UN)
    return close(descriptor)
  }

  /// Gives the open file away, and with it the duty to remove it.
  func takeDescriptor() -> Int32 {
    defer { (descriptor, isDisposable) = (-1, false) }
    return descriptor
  }

  /// Closes the file, which stays.
  func keep() {
    let open = takeDescriptor()
    if open >= 0 { Self.release(open) }
  }

  /// The file goes: it is of no use any more.
  func discard() {
    isDisposable = true
  }
}
