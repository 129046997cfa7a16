// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// Small files of this user alone that appear under their names as a whole, or not at all. Every call may block.
enum AtomicFile {
  /// Puts a file with these bytes and mode 0600 at a path, in place of the one there is; or only where there is none. Answers
  /// what the system says of it; nil where that is not possible.
  static func put(_ bytes: [UInt8], at path: String, onlyWhereNone: Bool = false) -> stat? {
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    // Named so that one of a killed process is removed later (`LeftoverFiles`).
    let number = String(getpid(), radix: 16)
    var template = Array((folder + "/.dat.nosync\(number).XXXXXX").utf8CString)
    let descriptor = unsafe workbench_make_file(&template, 0)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    let isWhole = unsafe write(bytes, to: descriptor) && fstat(descriptor, &status) == 0
    close(descriptor)
    let isPut = isWhole && (onlyWhereNone ? link(template, path) : unsafe rename(template, path) == 0)
    if !isPut || onlyWhereNone { unsafe unlink(template) }
    return isPut ? status : nil
  }

  /// Writes a file that nobody looks for yet, where there is none: one that a killed process left has a part of the bytes. False
  /// where there is one, or the disk does not take it.
  static func putNew(_ bytes: [UInt8], at path: String) -> Bool {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    if write(bytes, to: descriptor) { return true }
    unsafe unlink(path)
    return false
  }

  /// Some file systems have no links.
  private static func link(_ template: [CChar], _ path: String) -> Bool {
    unsafe Glibc.link(template, path) == 0 || errno != EEXIST && rename(template, path) == 0
  }

  /// Writes all bytes; false where the disk does not take them.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    return unsafe bytes.withUnsafeBytes { bytes in
      while done < bytes.count {
        let count = unsafe workbench_write_within_limit(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }
}

/// Reads of files of which nothing is believed. Every call may block.
enum BoundedRead {
  /// All bytes of this user's file at a path; nil where it is a link, no plain file, another user's, or larger than `limit`.
  static func bytes(of path: String, limit: Int64, isOwn: Bool = false) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (isOwn ? O_NOFOLLOW : 0))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit,
      !isOwn || status.st_uid == geteuid()
    else { return nil }
    return bytes(descriptor, from: 0, count: Int(status.st_size))
  }

  /// So many bytes from `start` on; nil where there are fewer.
  static func bytes(_ descriptor: Int32, from start: Int64, count: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, Int(start) + filled)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
    return bytes.count == count ? bytes : nil
  }
}
