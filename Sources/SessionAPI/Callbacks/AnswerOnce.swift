// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets the first answer of a delegate through and ignores the others, from whatever threads they come.
final class AnswerOnce: Sendable {
  private let isAnswered = Atomic<Bool>(false)

  /// True for one caller only.
  func claim() -> Bool {
    !isAnswered.exchange(true, ordering: .relaxed)
  }
}
