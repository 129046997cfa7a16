// SPDX-License-Identifier: Apache-2.0
public import LessonKit

extension RunProgress {
  /// One line for a person: what runs now, and how long the rest may take.
  public var words: Phrase {
    let place: Phrase = "\(done + 1) of \(total)"
    let now: Phrase = "\(place) · \(lesson) \(example)"
    guard let secondsLeft else { return now }
    return secondsLeft < 90
      ? "\(now) · \(Int(secondsLeft.rounded(.up))) s left" : "\(now) · \(Int((secondsLeft / 60).rounded(.up))) min left"
  }
}
