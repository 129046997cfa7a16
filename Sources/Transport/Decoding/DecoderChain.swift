// SPDX-License-Identifier: Apache-2.0

/// Takes all content codings off a body: the last one applied comes off first.
///
/// Output can be a thousand times the input for each coding, so a consumer may ask to stop at any time. The stage that is
/// nearest to the consumer and has something to do works first, one step at a time; what a stage brings, at most 64 KiB,
/// is used up before it is asked for more. So after a stop nothing more is delivered, however many codings there are: the
/// stages keep what they have, and `drain` continues.
///
/// Nor may one body keep the thread that all transfers share: a turn is over once the stages have brought 1 MiB, whether or
/// not any of it reached the consumer. 7 KB of Brotli can stand for 4 GiB, which take seven seconds.
///
/// Safe: what a stage brings lives as long as the chain, and what is left of the input is copied before `feed` returns.
@safe
final class DecoderChain {
  private let stages: [any CodingStage]
  /// Input that arrived while the chain stood still, and what was left when it stopped.
  private var waiting: [UInt8] = []
  /// Bytes that the stages bring in a turn.
  private static let turnSize = 1 << 20

  /// How a turn ended.
  enum Turn {
    /// The input is used up.
    case done
    /// The consumer wants nothing more for now.
    case paused
    /// It has lasted long enough; `drain` begins the next.
    case over
  }

  /// Codings in the order in which they were applied; at least one.
  init(_ codings: [ContentCoding]) {
    stages = codings.reversed().map { $0.makeStage() }
  }

  /// True if every coded stream has come to its end and nothing waits.
  var isComplete: Bool { !hasWaitingInput && stages.allSatisfy { $0.isComplete } }

  /// True if something is left over from a pause.
  var hasWaitingInput: Bool { !waiting.isEmpty || stages.contains(where: { $0.hasWork }) }

  /// Decodes `input` until it is used up, `consume` answers pause or the turn is over; the rest then waits for `drain`.
  func feed(
    _ input: UnsafeRawBufferPointer, _ consume: (UnsafeRawBufferPointer) -> TransferFlow
  ) throws(TransferFailure) -> Turn {
    guard !hasWaitingInput else {
      unsafe waiting.append(contentsOf: input)
      return .paused
    }
    try unsafe stages[0].give(input)
    let turn = try unsafe run(consume)
    waiting = stages[0].takeInput()
    return turn
  }

  /// Decodes the input that waits.
  func drain(_ consume: (UnsafeRawBufferPointer) -> TransferFlow) throws(TransferFailure) -> Turn {
    let turn = try unsafe run(consume)
    guard turn == .done else { return turn }
    let input = waiting
    waiting = []
    var result = Result<Turn, TransferFailure>.success(.done)
    unsafe input.withUnsafeBytes { bytes in
      result = Result { () throws(TransferFailure) in try unsafe feed(bytes, consume) }
    }
    return try result.get()
  }

  private func run(_ consume: (UnsafeRawBufferPointer) -> TransferFlow) throws(TransferFailure) -> Turn {
    var brought = 0
    while let stage = stages.lastIndex(where: { $0.hasWork }) {
      guard brought < Self.turnSize else { return .over }
      let piece = try unsafe stages[stage].step()
      guard unsafe !piece.isEmpty else { continue }
      brought += piece.count
      if stage + 1 < stages.count {
        try unsafe stages[stage + 1].give(piece)
      } else if unsafe consume(piece) == .pause {
        return .paused
      }
    }
    return .done
  }
}
