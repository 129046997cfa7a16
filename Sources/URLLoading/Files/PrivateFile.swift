// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// A file that only its owner can read, filled from front to back, and locked so that no two loads write into it. Used
/// by one thread at a time; every call may block.
///
/// Its folder may be removed or replaced meanwhile. So before its name is given away or used to remove it, it is made
/// sure that the name still leads to this file.
///
/// The file of a large download is seldom read back soon, but in the page cache it costs memory for all programs and
/// more processor time than everything else the download does. So from the 32nd MiB on the cache is bypassed (O_DIRECT,
/// open(2)) where the file system can.
final class PrivateFile {
  private var descriptor: Int32 = -1
  private var path: [CChar] = []
  private var mayBypass = true
  private var bypasses = false
  /// Bytes in the file.
  private(set) var count: Int64 = 0
  /// The numbers that distinguish it from other files.
  private var identity: (device: UInt64, number: UInt64)?

  private static let cachedBytes: Int64 = 32 * 1024 * 1024
  /// The size whose multiples offset, length and address of a write past the cache must be, on all usual disks.
  private static let block = 4096

  deinit {
    if descriptor >= 0 { remove() }
  }

  /// Creates the file in `directory`: an unpredictable name, mode 0600, never through a link.
  func create(in directory: URL) throws(POSIXError) {
    var template = Array((directory.path + "/" + PartialFile.namePattern).utf8CString)
    descriptor = unsafe workbench_make_file(&template, Int32(PartialFile.nameEnding.utf8.count))
    guard descriptor >= 0 else { throw PrivateFile.lastError }
    path = template
    identity = Self.identity(by: { unsafe fstat(descriptor, &$0) })
    PartialFile.claim(descriptor)
  }

  /// Continues behind the first `offset` bytes of a file that an earlier download left; what follows them is cut off.
  func resume(with partial: PartialFile, from offset: Int64) throws(POSIXError) {
    (descriptor, path) = (partial.takeDescriptor(), Array(partial.url.path.utf8CString))
    guard ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
      throw PrivateFile.lastError
    }
    identity = Self.identity(by: { unsafe fstat(descriptor, &$0) })
    count = offset
  }

  /// Puts what was written onto the disk and closes the file, which goes with the part that is returned unless that is
  /// kept.
  func keep() throws(POSIXError) -> PartialFile {
    guard fdatasync(descriptor) == 0, let identity else { throw PrivateFile.lastError }
    let url = try finish()
    path = []
    return PartialFile(url, count: count, number: identity.number)
  }

  /// Appends `bytes`.
  /// - Throws: `POSIXError` when the disk is full or fails.
  func append(_ bytes: UnsafeRawBufferPointer) throws(POSIXError) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      unsafe choosePath(for: rest.count)
      let written = unsafe workbench_write_within_limit(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EINVAL, bypasses {
        mayBypass = false
        continue
      }
      guard written > 0 else { throw PrivateFile.lastError }
      count += Int64(written)
      unsafe rest = rest.dropFirst(written)
    }
  }

  /// Closes the file, which from then on belongs to the caller.
  /// - Throws: `POSIXError`, ENOENT where the file has no name any more by which it could be found.
  func finish() throws(POSIXError) -> URL {
    let result = PartialFile.release(descriptor)
    descriptor = -1
    guard result == 0 else {
      let error = PrivateFile.lastError
      remove()
      throw error
    }
    guard isAtItsPlace else {
      path = []
      throw POSIXError(.ENOENT)
    }
    return URL(fileURLWithPath: name)
  }

  /// Removes the file, also a finished one that was not delivered.
  func remove() {
    if descriptor >= 0 { PartialFile.release(descriptor) }
    descriptor = -1
    if isAtItsPlace { unsafe unlink(path) }
    path = []
  }

  /// The name and the inode of an open file.
  var place: (URL, UInt64)? { identity.map { (URL(fileURLWithPath: name), $0.number) } }

  private var name: String { String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }

  /// True if the name leads to this file, and not through a link.
  private var isAtItsPlace: Bool {
    guard !path.isEmpty, let identity, let found = Self.identity(by: { unsafe lstat(path, &$0) }) else { return false }
    return found == identity
  }

  private static func identity(by look: (inout stat) -> Int32) -> (device: UInt64, number: UInt64)? {
    var status = stat()
    return look(&status) == 0 ? (UInt64(status.st_dev), UInt64(status.st_ino)) : nil
  }

  private func choosePath(for length: Int) {
    let isAligned = count % Int64(Self.block) == 0 && length % Self.block == 0
    let wants = mayBypass && isAligned && count >= Self.cachedBytes
    guard wants != bypasses else { return }
    if workbench_bypass_page_cache(descriptor, wants ? 1 : 0) == 0 { bypasses = wants } else { mayBypass = false }
  }

  private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
