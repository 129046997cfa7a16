// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a connection does with each call, decided without clock, lock or run loop.
///
/// A connection lives once: created, loading, over. Where it delivers is settled before it starts; a later call is
/// refused with a sentence, or, where Apple calls it an error, stops the program.
struct ConnectionLife {
  enum Phase {
    case created, loading, over
  }

  /// Where callbacks go.
  enum Destination {
    /// Not decided yet.
    case open
    /// To run loops that were named.
    case scheduled
    /// To the run loop of the thread that started it, in the default mode: the program chose no place.
    case starter
    /// To a queue.
    case queue(OperationQueue)
  }

  /// What a call leads to.
  enum Verdict: Equatable {
    case proceed
    /// Only from now on, and through the starter's loop: see `ConnectionDelivery`.
    case relay
    /// No effect, for the reason in the sentence.
    case ignore(String)
    /// An error in the program.
    case programmerError(String)
  }

  private(set) var phase = Phase.created
  private(set) var destination = Destination.open

  /// `start()` was called, or implied by the initializer.
  mutating func started() -> Verdict {
    switch phase {
    case .created: break
    case .loading: return .ignore("start() had no effect: the connection has already started")
    case .over: return .ignore("start() had no effect: a connection loads once; make a new one to try again")
    }
    phase = .loading
    if case .open = destination { destination = .starter }
    return .proceed
  }

  /// The load has ended, or is cancelled.
  /// - Returns: false when it was over before.
  mutating func ended() -> Bool {
    defer { phase = .over }
    return phase != .over
  }

  mutating func scheduleAsked() -> Verdict {
    guard phase == .created else { return .ignore(Self.tooLate("schedule(in:forMode:)")) }
    if case .queue = destination { return .programmerError(Self.mixture) }
    destination = .scheduled
    return .proceed
  }

  /// - Parameter leavesNone: whether no place is left after it.
  mutating func unscheduleAsked(leavesNone: Bool) -> Verdict {
    guard phase == .created else { return .ignore(Self.tooLate("unschedule(from:forMode:)")) }
    if leavesNone, case .scheduled = destination { destination = .open }
    return .proceed
  }

  mutating func queueAsked(_ queue: OperationQueue?) -> Verdict {
    switch (phase, destination) {
    case (.created, .scheduled): return queue == nil ? .proceed : .programmerError(Self.mixture)
    case (.created, _):
      destination = queue.map(Destination.queue) ?? .open
      return .proceed
    case (.loading, .starter): return .relay
    case (.loading, _), (.over, _): return .ignore(Self.tooLate("setDelegateQueue(_:)"))
    }
  }

  static let mixture = """
    A connection was both scheduled on a run loop and given a delegate queue. Its callbacks can go to one of them: \
    call schedule(in:forMode:) or setDelegateQueue(_:), not both.
    """

  static let afterFirstCallback = """
    setDelegateQueue(_:) had no effect: the first callback has already been delivered. Create the connection with \
    startImmediately: false, set the queue, then call start().
    """

  private static func tooLate(_ call: String) -> String {
    """
    \(call) had no effect: the connection has already started. Create it with startImmediately: false, call \(call), \
    then start().
    """
  }
}
