// SPDX-License-Identifier: Apache-2.0
import CCurl
import FoundationEssentials
import Glibc

/// Reads a request's body from where it is and can start again from its first byte. It belongs to the I/O thread.
final class BodyReader {
  private let body: TransferBody
  private var descriptor: Int32 = -1
  /// The body's length in bytes; nil for a source without one.
  let length: Int64?
  /// Bytes given to libcurl since the last start.
  private(set) var offset: Int64 = 0
  /// Whether bytes were ever given to libcurl, also before a start anew.
  private(set) var hasBegun = false
  /// Why it could not be read.
  private(set) var failure: TransferFailure?

  /// Nil when there is no body. A file is opened here, so that the length belongs to what will be read.
  init?(_ body: TransferBody) {
    self.body = body
    switch body {
    case .none: return nil
    case .bytes(let data): length = Int64(data.count)
    case .source(_, let length): self.length = length
    case .file(let path, let start):
      let (descriptor, size) = Self.open(path)
      self.descriptor = descriptor
      length = max(0, size - start)
      if descriptor < 0 {
        failure = TransferFailure(
          .bodyUnreadable,
          description: unsafe "The file '\(path)' to be sent cannot be read: \(String(cString: strerror(errno))).")
      }
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func open(_ path: String) -> (descriptor: Int32, size: Int64) {
    // O_NONBLOCK: a FIFO must not hold up the thread of all transfers.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return (-1, 0) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      errno = EINVAL
      return (-1, 0)
    }
    return (descriptor, Int64(status.st_size))
  }

  /// Fills a part of `buffer` for CURLOPT_READFUNCTION: a count, 0 at the end, or one of libcurl's signals.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count: Int
    switch body {
    case .none: return 0
    case .bytes(let data): count = unsafe copy(data, into: buffer)
    case .file(let path, let start): count = unsafe readFile(path, from: start, into: buffer)
    case .source(let source, _):
      switch unsafe source.read(into: buffer) {
      case .bytes(let some): count = some
      case .end: return 0
      case .wait: return Int(CURL_READFUNC_PAUSE)
      case .failed:
        failure = TransferFailure(.bodyUnreadable, description: "The body to be sent could not be read to its end.")
        return Int(CURL_READFUNC_ABORT)
      }
    }
    if count > 0, count <= buffer.count {
      offset += Int64(count)
      hasBegun = true
    }
    return count
  }

  /// Starts again from the first byte, for CURLOPT_SEEKFUNCTION and for another try.
  func rewind() -> Bool {
    if case .source(let source, _) = body, offset > 0, !source.rewind() {
      failure = TransferFailure(
        .bodyNotRepeatable, description: "The body has to be sent again, but its source cannot start again.")
      return false
    }
    offset = 0
    return true
  }

  private func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, data.count - Int(offset))
    guard count > 0 else { return 0 }
    let start = data.startIndex + Int(offset)
    unsafe data.copyBytes(to: buffer, from: start..<(start + count))
    return count
  }

  private func readFile(_ path: String, from start: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = min(Int64(buffer.count), (length ?? 0) - offset)
    guard wanted > 0 else { return 0 }
    let count = unsafe pread(descriptor, buffer.baseAddress, Int(wanted), off_t(start + offset))
    guard count > 0 else {
      let reason = unsafe count == 0 ? "it became shorter" : String(cString: strerror(errno))
      failure = TransferFailure(
        .bodyUnreadable, description: "The file '\(path)' could not be sent to its end: \(reason).")
      return Int(CURL_READFUNC_ABORT)
    }
    return count
  }
}
