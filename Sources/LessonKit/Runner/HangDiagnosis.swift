// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Says what a program waited for that ran into its time limit.
struct HangDiagnosis {
  private let recording: Recording

  init(_ recording: Recording) {
    self.recording = recording
  }

  /// The diagnosis, such as "a callback was scheduled on thread 5 in mode default, in which its run loop never ran".
  var sentence: Phrase {
    if let destination = recording.waitingAt { return waiting(at: destination) }
    guard !recording.loads.isEmpty else { return "no load was started, and the program did not come to its end" }
    guard let last = recording.callbacks.max(by: { $0.last < $1.last }) else {
      return "a load was started, but no callback came"
    }
    let name = last.detail.isEmpty ? last.name : "\(last.name) \(last.detail)"
    let instant =
      last.last < 0.1 ? String(format: "%.1f\u{A0}ms", last.last * 1000) : String(format: "%.2f\u{A0}s", last.last)
    if recording.loads.allSatisfy({ $0.ends > 0 }) {
      return "every load had ended (last came \(name) at \(instant)), but the program did not come to its end"
    }
    return "the end of a load did not come; last came \(name) at \(instant)"
  }

  private func waiting(at phrase: String) -> Phrase {
    let destination = Self.withShortModes(phrase)
    // Of a loop that ran in other modes alone, this one waited all the same.
    let hasRun = recording.places.contains { place in
      place.runLoopMode.map { destination.hasPrefix("thread \(place.thread.id) in mode \(Self.withShortModes($0))") }
        ?? false
    }
    let place = Self.place(destination)
    if destination.hasPrefix("thread") {
      return hasRun
        ? "a callback was scheduled on \(place), in which its run loop did not run again"
        : "a callback was scheduled on \(place), in which its run loop never ran"
    }
    return "a callback was scheduled on \(place), which never ran it"
  }

  private static func withShortModes(_ words: String) -> String {
    words.replacing("kCFRunLoopDefaultMode", with: "default").replacing("NSDefaultRunLoopMode", with: "default")
  }

  /// The words in which the mailbox names a destination, such as "thread 5 in mode default or the main queue".
  private static func place(_ words: String) -> Phrase {
    let places = words.components(separatedBy: " or ").map { part -> Phrase in
      let words = part.split(separator: " ", maxSplits: 4)
      if words.count == 5, words[0] == "thread", words[2] == "in", words[3] == "mode" {
        let mode: Phrase = words[4] == "default" ? "default" : Phrase(verbatim: String(words[4]))
        return "thread\u{A0}\(words[1]) in mode \(mode)"
      }
      return part == "the main queue" ? "the main queue" : Phrase(verbatim: part)
    }
    return places.dropFirst().reduce(places.first ?? .empty) { "\($0) or \($1)" }
  }
}
