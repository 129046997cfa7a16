// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// The `sender` of a connection's challenge, which takes the delegate's answer. The first answer counts, from any
/// thread; after the end of the load none does.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender, Sendable {
  private struct State {
    var isAnswered = false
    /// Released with the answer, so that a challenge that is kept for long keeps nothing else.
    var load: Load?
  }

  private let challenge: LoadChallenge
  private let state: Locked<State>

  init(_ challenge: LoadChallenge, of load: Load) {
    self.challenge = challenge
    state = Locked(State(load: load))
  }

  /// True if an answer was given.
  var isAnswered: Bool { state.withLock { $0.isAnswered } }

  private func answer(_ answer: ChallengeAnswer) {
    let load = state.withLock { state in
      state.isAnswered = true
      return state.load.take()
    }
    load?.answer(challenge, answer)
  }

  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
    answer(.use(credential))
  }

  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {
    answer(.use(nil))
  }

  func cancel(_ challenge: URLAuthenticationChallenge) {
    answer(.cancel(.userCancelledAuthentication))
  }

  func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
    answer(.performDefault)
  }

  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    answer(.rejectSpace)
  }
}
