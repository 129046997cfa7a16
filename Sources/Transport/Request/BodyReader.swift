// SPDX-License-Identifier: Apache-2.0
import CCurl
import FoundationEssentials

/// Reads a request's body from where it is and can start again from its first byte. It belongs to the I/O thread.
final class BodyReader {
  /// The least room that a source takes.
  private static let probe = 16 << 10

  private let body: TransferBody
  /// The body's length in bytes; nil for a source without one.
  let length: Int64?
  /// Bytes given to libcurl since the last start.
  private(set) var offset: Int64 = 0
  /// True if bytes were ever given to libcurl, also before a start anew.
  private(set) var hasBegun = false
  /// True if libcurl has the whole body.
  private(set) var isComplete: Bool
  /// Why it could not be read.
  private(set) var failure: TransferFailure?

  /// Nil when there is no body.
  init?(_ body: TransferBody) {
    self.body = body
    isComplete = false
    switch body {
    case .none: return nil
    case .bytes(let data): length = Int64(data.count)
    case .source(_, let length): self.length = length
    }
    isComplete = length == 0
  }

  /// Fills a part of `buffer` for CURLOPT_READFUNCTION: a count, 0 at the end, or one of libcurl's signals.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count: Int
    switch body {
    case .none: return 0
    case .bytes(let data): count = unsafe copy(data, into: buffer)
    case .source(let source, _): count = unsafe read(source, into: buffer)
    }
    if count > 0, count <= buffer.count {
      offset += Int64(count)
      hasBegun = true
    }
    isComplete = count == 0 || offset == length
    return count
  }

  /// Reads from a source, which has to give as much as its announced length: a server takes what is more for another request
  /// (RFC 9112 section 6.2), and waits for what is missing.
  private func read(_ source: any BodySource, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch unsafe source.read(into: buffer) {
    case .bytes(let count):
      guard let length, offset + Int64(count) >= length else { return count }
      guard offset + Int64(count) == length, isAtEnd(source) else {
        return fails("The body to be sent is longer than the \(length) bytes of its Content-Length.")
      }
      return count
    case .end:
      guard let length, offset < length else { return 0 }
      return fails("The body to be sent ended after \(offset) of the \(length) bytes of its Content-Length.")
    case .wait: return Int(CURL_READFUNC_PAUSE)
    case .failed: return fails(source.failure ?? "The body to be sent could not be read to its end.")
    }
  }

  /// True if a source that has given its length gives no more; one that is only silent counts as ended.
  private func isAtEnd(_ source: any BodySource) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.probe, alignment: 1) { room in
      switch unsafe source.read(into: room) {
      case .end, .wait: true
      case .bytes, .failed: false
      }
    }
  }

  private func fails(_ description: String) -> Int {
    failure = TransferFailure(.bodyUnreadable, description: description)
    return Int(CURL_READFUNC_ABORT)
  }

  /// Starts again from the first byte, for CURLOPT_SEEKFUNCTION and for another try.
  func rewind() -> Bool {
    if case .source(let source, _) = body, offset > 0, !source.rewind() {
      failure = TransferFailure(
        .bodyNotRepeatable, description: "The body has to be sent again, but its source cannot start again.")
      return false
    }
    offset = 0
    isComplete = length == 0
    return true
  }

  private func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, data.count - Int(offset))
    guard count > 0 else { return 0 }
    let start = data.startIndex + Int(offset)
    unsafe data.copyBytes(to: buffer, from: start..<(start + count))
    return count
  }
}
