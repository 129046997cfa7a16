// SPDX-License-Identifier: Apache-2.0

/// A stream that goes over to TLS: whether it does, and the calls that wait until it has. Pure.
struct StreamDeferral {
  /// A call of the user's.
  enum Call: Equatable {
    case read(Int, minimum: Int, maximum: Int)
    case write(Int, [UInt8])
    case closeRead
    case closeWrite
    case capture
  }

  private enum Step {
    case none
    /// TLS was asked for; calls from before it still wait for their answers.
    case wanted
    /// The handshake is under way.
    case begun
    case done
  }

  private var step = Step.none
  private var calls: [Call] = []

  /// True if calls wait for TLS.
  var isActive: Bool { step == .wanted || step == .begun }

  /// TLS is wanted; more than once is once.
  mutating func wanted() {
    if step == .none { step = .wanted }
  }

  /// True if the handshake shall begin now that calls from before it `wait` no more.
  mutating func begins(unless wait: Bool) -> Bool {
    guard step == .wanted, !wait else { return false }
    step = .begun
    return true
  }

  /// Keeps the call; false when it need not wait.
  mutating func keeps(_ call: Call) -> Bool {
    if isActive { calls.append(call) }
    return isActive
  }

  /// The handshake is done: the calls that waited for it.
  mutating func done() -> [Call] {
    step = .done
    defer { calls = [] }
    return calls
  }

  /// The reads that wait, which come to nothing.
  mutating func takeReads() -> [Int] {
    take { if case .read(let number, _, _) = $0 { number } else { nil } }
  }

  /// The writes that wait, which come to nothing.
  mutating func takeWrites() -> [Int] {
    take { if case .write(let number, _) = $0 { number } else { nil } }
  }

  private mutating func take(_ number: (Call) -> Int?) -> [Int] {
    defer { calls.removeAll { number($0) != nil } }
    return calls.compactMap(number)
  }

  /// True if a read of this number waits.
  func isReadWaiting(_ number: Int) -> Bool {
    calls.contains { if case .read(number, _, _) = $0 { true } else { false } }
  }

  /// True if a write of this number waits.
  func isWriteWaiting(_ number: Int) -> Bool {
    calls.contains { if case .write(number, _) = $0 { true } else { false } }
  }
}
