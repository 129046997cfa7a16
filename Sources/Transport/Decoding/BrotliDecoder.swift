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
  private var isAtEnd = false

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

  func step(into scratch: UnsafeMutableRawBufferPointer) throws(TransferFailure) -> UnsafeRawBufferPointer {
    guard !isAtEnd else {
      left = 0
      return unsafe UnsafeRawBufferPointer(rebasing: scratch[..<0])
    }
    var output = unsafe scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var room = scratch.count
    let result = unsafe BrotliDecoderDecompressStream(state, &left, &next, &room, &output, nil)
    // A decoder that has used up its input asks for more, although it may still hold what found no room here.
    isOutputFull = unsafe result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT || BrotliDecoderHasMoreOutput(state) != 0
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
    default: throw failure
    }
    return unsafe UnsafeRawBufferPointer(rebasing: scratch[..<(scratch.count - room)])
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
