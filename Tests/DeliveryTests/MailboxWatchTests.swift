// SPDX-License-Identifier: Apache-2.0
import Locking
import TestSupport
import Testing
import Timeline

@testable import Delivery

@Suite(.serialized) struct MailboxWatchTests {
  private final class Recorder: TimelineRecorder {
    let events = Locked<[TimelineEvent]>([])
    func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) { events.withLock { $0.append(event) } }
  }

  /// The events that a recorder receives of one mailbox while `course` runs.
  private func told(_ course: (inout MailboxWatch) -> Void) async -> [TimelineEvent.Kind] {
    let (recorder, subject) = (Recorder(), Timeline.nextSubject())
    await RecordingTurn.run {
      Timeline.install(recorder)
      defer { Timeline.install(nil) }
      var watch = MailboxWatch(subject: subject)
      course(&watch)
    }
    return recorder.events.withLock { $0 }.filter { $0.subject == subject }.map(\.kind)
  }

  @Test func `a recorder is told of a wait that a look has seen, and of its end`() async {
    let kinds = await told { watch in
      watch.waits()
      watch.look("here")
      watch.begins("here")
      watch.returned(others: true, "here")
    }
    #expect(
      kinds == [.enqueued(destination: "here"), .taken(destination: "here"), .returned(othersWaited: true)])
  }

  @Test func `a recorder is told of a long callback when it returns`() async {
    let kinds = await told { watch in
      let start = ContinuousClock.now
      watch.begins("here")
      while ContinuousClock.now - start < .milliseconds(60) {}
      watch.returned(others: false, "here")
    }
    #expect(kinds == [.taken(destination: "here"), .returned(othersWaited: false)])
  }

  @Test func `a recorder is told nothing of what is short`() async {
    var (kinds, isShort) = ([TimelineEvent.Kind](), false)
    // A busy machine may make any of this long.
    while !isShort {
      kinds = await told { watch in
        let start = ContinuousClock.now
        watch.waits()
        watch.begins("here")
        watch.returned(others: true, "here")
        watch.ends()
        isShort = ContinuousClock.now - start < .milliseconds(50)
      }
    }
    #expect(kinds == [])
  }

  @Test func `without a recorder nothing is kept`() async {
    let kinds = await told { watch in
      Timeline.install(nil)
      watch.waits()
      watch.look("here")
      watch.begins("here")
    }
    #expect(kinds == [])
  }
}
