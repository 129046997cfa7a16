// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// Writes a body into a new private file, in pieces of 512 KiB. It belongs to the I/O thread: a write goes to the page
/// cache and costs a fraction of a millisecond, less than handing the bytes to another thread.
final class FileSink {
  /// The file.
  let url: URL
  private var descriptor: Int32
  private let gather: UnsafeMutableRawBufferPointer
  private var gathered = 0
  /// Bytes in the file.
  private(set) var written: Int64 = 0
  private static let pieceSize = 512 * 1024

  /// Creates the file in `directory`: an unpredictable name, readable by its owner only, never through a link.
  /// - Throws: `POSIXError` when it cannot be created.
  init(in directory: URL, expecting expected: Int64) throws(POSIXError) {
    var template = Array((directory.path + "/CFNetworkDownload_XXXXXX.tmp").utf8CString)
    descriptor = workbench_make_file(&template, 4)
    guard descriptor >= 0 else { throw FileSink.lastError }
    url = URL(fileURLWithPath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    let size = expected > 0 ? min(expected, Int64(Self.pieceSize)) : Int64(Self.pieceSize)
    gather = .allocate(byteCount: Int(size), alignment: 4096)
  }

  deinit {
    gather.deallocate()
    if descriptor >= 0 { discard() }
  }

  /// Takes bytes; true when the file grew by it.
  /// - Throws: `POSIXError` when the disk is full or fails.
  func append(_ bytes: UnsafeRawBufferPointer) throws(POSIXError) -> Bool {
    var rest = bytes[...]
    var grew = false
    while !rest.isEmpty {
      let count = min(gather.count - gathered, rest.count)
      UnsafeMutableRawBufferPointer(rebasing: gather[gathered...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
      gathered += count
      rest = rest.dropFirst(count)
      if gathered == gather.count {
        try flush()
        grew = true
      }
    }
    return grew
  }

  /// Writes what is left and closes the file, which from then on belongs to whoever asked for it.
  func finish() throws(POSIXError) {
    try flush()
    let result = close(descriptor)
    descriptor = -1
    guard result == 0 else {
      let error = FileSink.lastError
      unlink(url.path)
      throw error
    }
  }

  /// Removes the file.
  func discard() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    unlink(url.path)
  }

  private func flush() throws(POSIXError) {
    var offset = 0
    while offset < gathered {
      let count = write(descriptor, gather.baseAddress?.advanced(by: offset), gathered - offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSink.lastError }
      offset += count
    }
    written += Int64(gathered)
    gathered = 0
  }

  private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
