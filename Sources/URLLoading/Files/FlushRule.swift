// SPDX-License-Identifier: Apache-2.0

/// When a file sink writes a piece that is not full, so that a slow download's progress is reported in time. Pure.
///
/// A piece is written when the body has fallen silent for 10 ms, or 50 ms after its first byte came, whichever is first. The
/// rule has no clock: while bytes wait, the sink looks every 10 ms, and counts. A body that fills a piece before the fifth
/// look is fast: it is written in whole pieces, and a short silence, such as that of a server that waits for its processor,
/// changes nothing. While the disk is busy with earlier pieces another one would be reported no sooner, so it gathers more
/// until the disk is free.
struct FlushRule {
  /// How long after the first byte, and after each look, the sink looks.
  static let interval = Duration.milliseconds(10)
  /// How many looks a byte waits at most: 50 ms.
  static let longestWait = 5

  /// The action after a look.
  enum Action {
    /// Nothing, until bytes come.
    case rest
    case lookAgain
    case flush
  }

  private enum State {
    case resting
    /// So many looks ago the first byte came. `isMoving`: more bytes have arrived since the last look, or the body is fast.
    case looking(Int, isMoving: Bool, isFast: Bool)
    /// The piece is to be written as soon as the disk is free.
    case overdue
  }

  private var state = State.resting

  /// Bytes arrived that wait. True when a look is to be arranged.
  mutating func arrived() -> Bool {
    switch state {
    case .resting:
      state = .looking(0, isMoving: false, isFast: false)
      return true
    case .looking(let count, _, let isFast): state = .looking(count, isMoving: true, isFast: isFast)
    case .overdue: break
    }
    return false
  }

  /// The piece was full; what waits now arrived later.
  mutating func handedOver() {
    switch state {
    case .resting: break
    case .looking: state = .looking(0, isMoving: true, isFast: true)
    case .overdue: state = .resting
    }
  }

  /// A look that was arranged.
  mutating func looked(hasBytes: Bool, isDiskBusy: Bool) -> Action {
    guard hasBytes, case .looking(let count, let isMoving, let isFast) = state else {
      state = .resting
      return .rest
    }
    if isMoving, count + 1 < Self.longestWait {
      state = .looking(count + 1, isMoving: isFast, isFast: isFast)
      return .lookAgain
    }
    state = isDiskBusy ? .overdue : .resting
    return isDiskBusy ? .rest : .flush
  }

  /// The disk has written all that it was given. True when the piece is to be written now.
  mutating func diskIsFree() -> Bool {
    guard case .overdue = state else { return false }
    state = .resting
    return true
  }
}
