// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Takes one content coding off a body, piece by piece, and knows whether the coded stream has ended.
///
/// libcurl could decode, but it calls a gzip stream that was cut short a success, so we do it with zlib ourselves.
/// Further gzip members are read on (RFC 1952 section 2.2); other bytes behind the end are ignored, as browsers do.
final class ContentDecoder {
  private let coding: ContentCoding
  private let stream: UnsafeMutablePointer<z_stream>
  private var isOpen = false
  private var hasInput = false
  /// Whether the coded stream has come to its end.
  private(set) var isAtEnd = false
  /// Behind the end came the first byte of what may be another member, as the last byte of its input.
  private var hasHalfMagic = false
  /// Behind the end came something else, so nothing more is looked at, however it is cut.
  private var ignoresRest = false
  /// How a member begins (RFC 1952 section 2.3.1).
  private static let magic: (UInt8, UInt8) = (0x1f, 0x8b)

  init(_ coding: ContentCoding) {
    self.coding = coding
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    if isOpen { inflateEnd(stream) }
    stream.deallocate()
  }

  /// Whether nothing is missing: the stream has ended, or there was no byte at all.
  var isComplete: Bool { isAtEnd || !hasInput }

  /// Decodes `input` and hands over pieces of at most 64 KiB, lent for the duration of the call.
  /// - Throws: `undecodableContent` when the bytes are not of this coding or damaged.
  func decode(
    _ input: UnsafeRawBufferPointer, into scratch: UnsafeMutableRawBufferPointer,
    _ output: (UnsafeRawBufferPointer) throws(TransferFailure) -> Void
  ) throws(TransferFailure) {
    guard input.count > 0, !ignoresRest else { return }
    hasInput = true
    try open(firstByte: input[0])
    if hasHalfMagic {
      hasHalfMagic = false
      guard input[0] == Self.magic.1 else { return ignoresRest = true }
      try beginMember(into: scratch)
    }
    try feed(input, into: scratch, output)
  }

  private func feed(
    _ input: UnsafeRawBufferPointer, into scratch: UnsafeMutableRawBufferPointer,
    _ output: (UnsafeRawBufferPointer) throws(TransferFailure) -> Void
  ) throws(TransferFailure) {
    let bytes = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes)
    stream.pointee.avail_in = UInt32(input.count)
    while try step(into: scratch, output) {}
  }

  /// Begins a member whose first byte came with the input before.
  private func beginMember(into scratch: UnsafeMutableRawBufferPointer) throws(TransferFailure) {
    inflateReset(stream)
    isAtEnd = false
    var result = Result<Void, TransferFailure>.success(())
    withUnsafeBytes(of: Self.magic.0) { first in
      do throws(TransferFailure) { try feed(first, into: scratch) { _ in } } catch { result = .failure(error) }
    }
    try result.get()
  }

  /// One call of zlib; false when the input is used up or what is left is to be ignored.
  private func step(
    into scratch: UnsafeMutableRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws(TransferFailure) -> Void
  ) throws(TransferFailure) -> Bool {
    if isAtEnd, !beginsNextMember() { return false }
    stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(scratch.count)
    let result = inflate(stream, Z_NO_FLUSH)
    let produced = scratch.count - Int(stream.pointee.avail_out)
    if produced > 0 { try output(UnsafeRawBufferPointer(rebasing: scratch[..<produced])) }
    switch result {
    case Z_STREAM_END: isAtEnd = true
    case Z_OK: break
    case Z_BUF_ERROR: return false
    default:
      throw TransferFailure(
        .undecodableContent, description: "The response's body is not the \(coding.rawValue) stream it claims to be.")
    }
    return stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
  }

  /// Whether another member follows the one that has ended (RFC 1952 section 2.2); anything else is ignored.
  private func beginsNextMember() -> Bool {
    guard stream.pointee.avail_in > 0, let next = stream.pointee.next_in else { return false }
    guard coding == .gzip, next[0] == Self.magic.0 else { return ignore() }
    guard stream.pointee.avail_in > 1 else {
      hasHalfMagic = true
      return false
    }
    guard next[1] == Self.magic.1 else { return ignore() }
    inflateReset(stream)
    isAtEnd = false
    return true
  }

  private func ignore() -> Bool {
    ignoresRest = true
    return false
  }

  /// Opens zlib when the first byte is known: a `deflate` body is a zlib stream when its first byte says so (compression
  /// method 8 in the low four bits, RFC 1950 section 2.2), otherwise the bare stream that many servers send.
  private func open(firstByte: UInt8) throws(TransferFailure) {
    guard !isOpen else { return }
    let windowBits: Int32 =
      switch coding {
      case .gzip: 15 + 16
      case .deflate: firstByte & 0x0f == 8 ? 15 : -15
      }
    guard workbench_inflate_init(stream, windowBits) == Z_OK else {
      throw TransferFailure(.outOfMemory, description: "There is no memory to decode the response's body.")
    }
    isOpen = true
  }
}
