// SPDX-License-Identifier: Apache-2.0
public import LessonKit

extension RunProgress {
  /// One line for a person: what runs now, and how long the rest may take.
  public var words: Phrase {
    let numbers = examples.count > 1 ? "\(done + 1)–\(done + examples.count)" : "\(done + 1)"
    let place: Phrase = "\(numbers) of \(total)"
    let first = Phrase(verbatim: "\(lesson) \(examples.first ?? "")")
    // One line has room for one name.
    let names: Phrase = examples.count > 1 ? "\(first) and \(examples.count - 1) more" : first
    let now: Phrase = "\(place) · \(names)"
    guard let secondsLeft else { return now }
    return secondsLeft < 90
      ? "\(now) · \(Int(secondsLeft.rounded(.up))) s left" : "\(now) · \(Int((secondsLeft / 60).rounded(.up))) min left"
  }
}
