// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Takes gzip or deflate off a body.
///
/// libcurl could decode, but it calls a gzip stream that was cut short a success, so we do it with zlib ourselves.
/// Further gzip members are read on (RFC 1952 section 2.2); other bytes behind the end are ignored, as browsers do.
/// Safe where its user keeps the rule of `CodingStage`: input stays in place until it is used up or taken back.
@safe
final class ContentDecoder: CodingStage {
  /// The bytes that follow the end of the coded stream.
  private enum Behind {
    case nothing
    /// The first byte of what may be a further member.
    case firstMagic
    /// Bytes of no meaning.
    case garbage
  }

  private let coding: ContentCoding
  private let stream: UnsafeMutablePointer<z_stream>
  /// Where zlib writes; empty until there is something to decode.
  private var scratch = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var isOpen = false
  private var isOutputFull = false
  private var behind = Behind.nothing
  /// True if the coded stream has come to its end.
  private(set) var isAtEnd = false

  private static let magic: (UInt8, UInt8) = (0x1f, 0x8b)

  init(_ coding: ContentCoding) {
    self.coding = coding
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
  }

  deinit {
    if isOpen { unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
    unsafe scratch.deallocate()
  }

  var isComplete: Bool { isAtEnd || !isOpen }

  var hasWork: Bool { unsafe stream.pointee.avail_in > 0 || isOutputFull }

  func give(_ input: UnsafeRawBufferPointer) throws(TransferFailure) {
    guard let bytes = input.baseAddress, input.count > 0 else { return }
    try unsafe open(firstByte: input[0])
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(input.count)
  }

  func takeInput() -> [UInt8] {
    let rest = unsafe Array(UnsafeRawBufferPointer(start: stream.pointee.next_in, count: Int(stream.pointee.avail_in)))
    unsafe stream.pointee.avail_in = 0
    return rest
  }

  func step() throws(TransferFailure) -> UnsafeRawBufferPointer {
    if isAtEnd, try !beginsNextMember() {
      unsafe stream.pointee.avail_in = 0
      return unsafe UnsafeRawBufferPointer(rebasing: scratch[..<0])
    }
    return unsafe UnsafeRawBufferPointer(rebasing: scratch[..<(try inflated())])
  }

  private func inflated() throws(TransferFailure) -> Int {
    unsafe stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(scratch.count)
    let result = unsafe inflate(stream, Z_NO_FLUSH)
    isOutputFull = unsafe stream.pointee.avail_out == 0 && result != Z_STREAM_END
    switch result {
    case Z_STREAM_END: isAtEnd = true
    case Z_OK: break
    // Nothing could be done; input that is left would lead nowhere again.
    case Z_BUF_ERROR: unsafe stream.pointee.avail_in = 0
    default:
      throw TransferFailure(
        .undecodableContent, description: "The response's body is not the \(coding.rawValue) stream it claims to be.")
    }
    return unsafe scratch.count - Int(stream.pointee.avail_out)
  }

  /// Judges the bytes behind the end, also where the two that announce a further member come one by one.
  private func beginsNextMember() throws(TransferFailure) -> Bool {
    guard coding == .gzip, behind != .garbage, let next = unsafe stream.pointee.next_in else { return false }
    if behind == .nothing, unsafe next[0] == Self.magic.0 {
      guard unsafe stream.pointee.avail_in > 1 else {
        behind = .firstMagic
        return false
      }
      if unsafe next[1] == Self.magic.1 { return restart() }
    } else if behind == .firstMagic, unsafe next[0] == Self.magic.1 {
      return try restartBehindFirstMagic()
    }
    behind = .garbage
    return false
  }

  private func restart() -> Bool {
    unsafe inflateReset(stream)
    (isAtEnd, behind) = (false, .nothing)
    return true
  }

  /// The first byte of the member went by in an earlier piece; it brings no output.
  private func restartBehindFirstMagic() throws(TransferFailure) -> Bool {
    let (next, count) = unsafe (stream.pointee.next_in, stream.pointee.avail_in)
    _ = restart()
    var result = Result<Int, TransferFailure>.success(0)
    unsafe withUnsafePointer(to: Self.magic.0) { first in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: first)
      unsafe stream.pointee.avail_in = 1
      result = Result { () throws(TransferFailure) in try inflated() }
    }
    unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (next, count)
    _ = try result.get()
    return true
  }

  /// Opens zlib when the first byte is known: a `deflate` body is a zlib stream when its first byte says so (compression
  /// method 8 in the low four bits, RFC 1950 section 2.2), otherwise the bare stream that many servers send.
  private func open(firstByte: UInt8) throws(TransferFailure) {
    guard !isOpen else { return }
    let windowBits: Int32 =
      switch coding {
      case .gzip: 15 + 16
      case .deflate, .brotli: firstByte & 0x0f == 8 ? 15 : -15
      }
    guard unsafe workbench_inflate_init(stream, windowBits) == Z_OK else {
      throw TransferFailure(.outOfMemory, description: "There is no memory to decode the response's body.")
    }
    unsafe scratch = .allocate(byteCount: ContentCoding.pieceSize, alignment: 16)
    isOpen = true
  }
}
