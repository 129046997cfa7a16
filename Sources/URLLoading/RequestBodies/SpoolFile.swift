// SPDX-License-Identifier: Apache-2.0
import CLinux
import Dispatch
import Foundation
import Glibc

/// A private file (mode 0600) that has no name any more as soon as it exists: no other process can open it, and nothing is
/// left behind however the process ends.
final class SpoolFile: Sendable {
  private let descriptor: Int32

  /// Makes the file in the folder for bodies; nil when the system refuses.
  init?() {
    let folder = PrivateFolder.url.path
    var template = Array((folder + "/url-body-XXXXXX.tmp").utf8CString)
    descriptor = unsafe workbench_make_file(&template, 4)
    guard descriptor >= 0 else { return nil }
    unsafe unlink(template)
  }

  deinit { DispatchQueue.closeFile(descriptor) }

  /// Puts the bytes at `offset`. False when the disk is full or fails.
  func write(_ bytes: [UInt8], at offset: Int64) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Fills a part of `buffer` with what of it the kernel has in memory; nil where a disk would have to be asked.
  func readCached(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    let count = unsafe workbench_read_cached(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    return count > 0 ? count : nil
  }

  /// Fills a part of `buffer` with what stands at `offset`; 0 when nothing does. May block.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
  }
}
