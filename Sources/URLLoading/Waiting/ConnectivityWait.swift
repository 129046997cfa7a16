// SPDX-License-Identifier: Apache-2.0

/// How far a load has come with waiting for a network.
///
/// The network may have come back between the failure and the observation's begin; so the first time the load tries again at
/// once, and waits after the second.
struct ConnectivityWait {
  /// The step that follows from a failure for want of a network.
  enum Step: Equatable {
    case tryAgain
    /// Wait until the network changes; the first time the client is called.
    case wait(isFirst: Bool)
  }

  private var observation: NetworkChanges.Observation?
  private var isReported = false

  /// There is no network; `changed` is called after each change from now on, on any thread. nil where changes cannot be
  /// observed, so that waiting makes no sense.
  mutating func networkLost(_ changed: @escaping @Sendable () -> Void) -> Step? {
    guard observation != nil else {
      observation = NetworkChanges.shared.observe(changed)
      return observation == nil ? nil : .tryAgain
    }
    defer { isReported = true }
    return .wait(isFirst: !isReported)
  }

  /// Changes of the network are of no interest any more.
  mutating func end() {
    observation = nil
  }
}
