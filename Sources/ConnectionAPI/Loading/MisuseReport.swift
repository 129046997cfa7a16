// SPDX-License-Identifier: Apache-2.0
import Locking
import Timeline
import URLLoading

/// Reports a call without effect or a programmer's error: on the timeline and in the log.
final class MisuseReport: Sendable {
  private let subject: UInt64
  private let made = Locked<Set<String>>([])

  init(subject: UInt64) {
    self.subject = subject
  }

  /// Says it, once for each sentence of one connection.
  func note(_ sentence: String) {
    guard made.withLock({ $0.insert(sentence).inserted }) else { return }
    say(sentence)
  }

  /// Says it and ends the program.
  func stop(_ sentence: String) -> Never {
    Timeline.emit(.note(sentence), subject: subject)
    ProgrammerError.stop("NSURLConnection", sentence)
  }

  private func say(_ sentence: String) {
    Timeline.emit(.note(sentence), subject: subject)
    URLLoadingLog.say(.warning, "NSURLConnection", sentence)
  }
}
