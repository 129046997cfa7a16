// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Says what a program waited for that ran into its time limit.
struct HangDiagnosis {
  private let recording: Recording

  init(_ recording: Recording) {
    self.recording = recording
  }

  /// The diagnosis, such as "a callback was scheduled on thread 5 in mode default, whose run loop never ran".
  var sentence: String {
    if let destination = recording.waitingAt { return waiting(at: destination) }
    guard !recording.loads.isEmpty else { return "no load was started, and the program did not come to its end" }
    guard let last = recording.callbacks.max(by: { $0.last < $1.last }) else {
      return "a load was started, but no callback came"
    }
    let name = last.detail.isEmpty ? last.name : "\(last.name) \(last.detail)"
    let instant = String(format: "%.2f s", last.last)
    if recording.loads.allSatisfy({ $0.ends > 0 }) {
      return "every load had ended (last came \(name) at \(instant)), but the program did not come to its end"
    }
    return "the end of a load did not come; last came \(name) at \(instant)"
  }

  private func waiting(at phrase: String) -> String {
    let destination = phrase.replacingOccurrences(of: "kCFRunLoopDefaultMode", with: "default")
    let hasRun = recording.places.contains { $0.runLoopMode != nil && destination.hasPrefix("thread \($0.thread.id) ") }
    if destination.hasPrefix("thread") {
      let loop = hasRun ? "whose run loop did not run again" : "whose run loop never ran"
      return "a callback was scheduled on \(destination), \(loop)"
    }
    return "a callback was scheduled on \(destination), which never ran it"
  }
}
