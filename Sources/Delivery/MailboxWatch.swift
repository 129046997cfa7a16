// SPDX-License-Identifier: Apache-2.0
import Timeline

/// Measures how long a mailbox's callbacks wait and run, and reports to the recorder those that take 50 ms and more. The others
/// cost a reading of the clock.
///
/// The mailbox calls it while it holds its lock, so the recorder receives events in their order. A recorder must not call the
/// mailbox.
struct MailboxWatch {
  private static let long = Duration.milliseconds(50)

  private struct Spell {
    let since: ContinuousClock.Instant
    var isTold = false

    var isLong: Bool { .now - since >= long }
  }

  let subject: UInt64
  /// Callbacks wait for their place.
  private var wait: Spell?
  /// A callback runs.
  private var run: Spell?
  /// The thread of the drain that is under way; 0 for none, or while nothing records.
  private(set) var drainer = 0

  init(subject: UInt64) { self.subject = subject }

  /// Callbacks begin to wait.
  mutating func waits() { wait = Timeline.isRecording ? Spell(since: .now) : nil }

  /// A drain begins on this thread, at `place`.
  mutating func begins(_ place: @autoclosure () -> String) {
    guard Timeline.isRecording else { return forget() }
    drainer = ThreadNumber.current
    run = Spell(since: .now)
    guard let wait = wait.take(), wait.isTold || wait.isLong else { return }
    let place = place()
    if !wait.isTold { Timeline.emit(.enqueued(destination: place), subject: subject, at: wait.since, thread: drainer) }
    Timeline.emit(.taken(destination: place), subject: subject)
    run?.isTold = true
  }

  /// The callback that ran has returned; `others` waited for it.
  mutating func returned(others: Bool, _ place: @autoclosure () -> String) {
    guard let run, drainer != 0 else { return }
    self.run = Spell(since: .now)
    guard run.isTold || run.isLong else { return }
    if !run.isTold {
      Timeline.emit(.taken(destination: place()), subject: subject, at: run.since, thread: drainer)
    }
    Timeline.emit(.returned(othersWaited: others), subject: subject)
  }

  /// The drain has ended.
  mutating func ends() { (run, drainer) = (nil, 0) }

  /// Tells what lasts. For a recorder's own thread.
  mutating func look(_ place: String) {
    if let spell = wait, !spell.isTold {
      Timeline.emit(.enqueued(destination: place), subject: subject, at: spell.since, thread: 0)
      wait?.isTold = true
    }
    if let spell = run, !spell.isTold, spell.isLong {
      Timeline.emit(.taken(destination: place), subject: subject, at: spell.since, thread: drainer)
      run?.isTold = true
    }
  }

  private mutating func forget() { (wait, run, drainer) = (nil, nil, 0) }
}
