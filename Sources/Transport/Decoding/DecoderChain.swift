// SPDX-License-Identifier: Apache-2.0

/// Takes all content codings off a body: the last one applied comes off first.
///
/// Output can be a thousand times the input, so a consumer may ask to stop in the middle: the chain keeps the rest of
/// the input and goes on with `drain`.
final class DecoderChain {
  private let decoders: [ContentDecoder]
  private let scratches: [UnsafeMutableRawBufferPointer]
  private var waiting: [UInt8] = []
  private static let scratchSize = 64 * 1024
  /// Input is fed in small steps, so that a pause never finds more than one step's output on its way: deflate grows at
  /// most about 1,032 times.
  private static let inputStep = 1024

  init(_ codings: [ContentCoding]) {
    decoders = codings.reversed().map(ContentDecoder.init)
    scratches = codings.map { _ in .allocate(byteCount: Self.scratchSize, alignment: 16) }
  }

  deinit {
    for scratch in scratches { scratch.deallocate() }
  }

  /// Whether every coded stream has come to its end and nothing waits.
  var isComplete: Bool { waiting.isEmpty && decoders.allSatisfy(\.isComplete) }

  /// Whether input is left over from a pause.
  var hasWaitingInput: Bool { !waiting.isEmpty }

  /// Decodes `input` until it is used up or `consume` answers pause; the rest then waits for `drain`.
  func feed(
    _ input: UnsafeRawBufferPointer, _ consume: (UnsafeRawBufferPointer) -> TransferFlow
  ) throws(TransferFailure) -> TransferFlow {
    if !waiting.isEmpty {
      waiting.append(contentsOf: input)
      return .pause
    }
    var offset = 0
    while offset < input.count {
      let end = min(offset + Self.inputStep, input.count)
      let flow = try decode(UnsafeRawBufferPointer(rebasing: input[offset..<end]), at: 0, consume)
      offset = end
      if flow == .pause {
        waiting.append(contentsOf: input[offset...])
        return .pause
      }
    }
    return .proceed
  }

  /// Goes on with what waits.
  func drain(_ consume: (UnsafeRawBufferPointer) -> TransferFlow) throws(TransferFailure) -> TransferFlow {
    let input = waiting
    waiting = []
    var result = Result<TransferFlow, TransferFailure>.success(.proceed)
    input.withUnsafeBytes { bytes in
      do throws(TransferFailure) {
        result = .success(try feed(bytes, consume))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  private func decode(
    _ input: UnsafeRawBufferPointer, at level: Int, _ consume: (UnsafeRawBufferPointer) -> TransferFlow
  ) throws(TransferFailure) -> TransferFlow {
    guard level < decoders.count else { return consume(input) }
    var flow = TransferFlow.proceed
    try decoders[level].decode(input, into: scratches[level]) { piece throws(TransferFailure) in
      if try decode(piece, at: level + 1, consume) == .pause { flow = .pause }
    }
    return flow
  }
}
