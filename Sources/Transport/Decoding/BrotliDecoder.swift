// SPDX-License-Identifier: Apache-2.0
import CBrotli

/// Takes Brotli off a body (RFC 7932). Its window is at most 16 MiB, which the decoder allocates as a stream asks for it;
/// larger windows, which no browser takes over HTTP, are refused. Bytes behind the end are ignored, as with gzip.
/// Safe where its user keeps the rule of `CodingStage`: input stays in place until it is used up or taken back.
@safe
final class BrotliDecoder: CodingStage {
  private var state: OpaquePointer?
  private var next: UnsafePointer<UInt8>?
  private var left = 0
  private var isOutputFull = false
  private var wantsRoom = false
  private var isAtEnd = false
  private static let inputSize = 16 * 1024

  deinit {
    unsafe BrotliDecoderDestroyInstance(state)
  }

  var isComplete: Bool { unsafe isAtEnd || state == nil }

  var hasWork: Bool { left > 0 || isOutputFull }

  func give(_ input: UnsafeRawBufferPointer) throws(TransferFailure) {
    guard let bytes = input.baseAddress, input.count > 0 else { return }
    if unsafe state == nil { unsafe state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) }
    guard unsafe state != nil else {
      throw TransferFailure(.outOfMemory, description: "There is no memory to decode the response's body.")
    }
    unsafe (next, left) = (bytes.assumingMemoryBound(to: UInt8.self), input.count)
  }

  func takeInput() -> [UInt8] {
    defer { left = 0 }
    return unsafe Array(UnsafeBufferPointer(start: next, count: left))
  }

  /// Decodes the next piece, which lies in the decoder's window.
  func step() throws(TransferFailure) -> UnsafeRawBufferPointer {
    guard !isAtEnd else {
      left = 0
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    if unsafe BrotliDecoderHasMoreOutput(state) == 0 { try decode() }
    var count = ContentCoding.pieceSize
    let output = unsafe BrotliDecoderTakeOutput(state, &count)
    // A decoder that wants no more room may still have to say that this was the end.
    isOutputFull = unsafe wantsRoom || BrotliDecoderHasMoreOutput(state) != 0
    return unsafe UnsafeRawBufferPointer(start: output, count: count)
  }

  /// Decodes as much input as brings what the processor's cache holds: the decoder would decode all of it before it gives
  /// anything away.
  private func decode() throws(TransferFailure) {
    let given = min(left, Self.inputSize)
    var (unused, room) = (given, 0)
    let result = unsafe BrotliDecoderDecompressStream(state, &unused, &next, &room, nil, nil)
    left -= given - unused
    wantsRoom = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
    default: throw failure
    }
  }

  /// Errors of the allocation begin where those of the format and of the arguments end (brotli/decode.h).
  private var failure: TransferFailure {
    let code = unsafe BrotliDecoderGetErrorCode(state).rawValue
    if (-30 ... -21).contains(code) {
      return TransferFailure(.outOfMemory, description: "There is no memory to decode the response's body.")
    }
    return TransferFailure(
      .undecodableContent, description: "The response's body is not the Brotli stream it claims to be.")
  }
}
