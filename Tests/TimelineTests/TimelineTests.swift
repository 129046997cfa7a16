// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing
import Timeline

@Suite(.serialized) struct TimelineTests {
  final class Recorder: TimelineRecorder {
    let events = Locked<[TimelineEvent]>([])
    func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) {
      events.withLock { $0.append(event) }
    }
  }

  @Test func `without a recorder nothing is evaluated`() async {
    await RecordingTurn.run {
      Timeline.install(nil)
      var evaluated = false
      func costly() -> TimelineEvent.Kind {
        evaluated = true
        return .note("never")
      }
      Timeline.emit(costly(), subject: 1)
      #expect(!evaluated)
    }
  }

  @Test func `an event that is announced late bears the instant at which it began`() async {
    let recorder = Recorder()
    let began = ContinuousClock.now - .seconds(5)
    await RecordingTurn.run {
      Timeline.install(recorder)
      defer { Timeline.install(nil) }
      Timeline.asOf(began) { Timeline.emit(.note("late"), subject: 7_777_777) }
    }
    let late = recorder.events.withLock { $0.first { $0.subject == 7_777_777 } }
    #expect(late?.instant == began)
  }

  @Test func `an event carries the thread that emitted it`() async throws {
    let recorder = Recorder()
    let subject = Timeline.nextSubject()
    await RecordingTurn.run {
      Timeline.install(recorder)
      defer { Timeline.install(nil) }
      await withCheckedContinuation { done in
        Thread {
          // The toolchain loses the name where the thread is ahead of the call that starts it.
          repeat { Thread.current.name = "worker" } while Thread.current.name != "worker"
          Timeline.emit(.note("from the worker"), subject: subject)
          done.resume()
        }.start()
      }
    }
    let event = try #require(recorder.events.withLock { $0.first { $0.subject == subject } })
    #expect(event.place.thread.name == "worker")
    #expect(!event.place.thread.isMain)
    #expect(event.place.thread.number > 1)
    #expect(event.place.runLoopMode == nil)
  }

  @Test func `a thread keeps its number and no other has it`() async {
    let here = await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: [ThreadNumber.current, ThreadNumber.current]) }
    }
    let there = await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: ThreadNumber.current) }
    }
    #expect(here[0] == here[1])
    #expect(here[0] != there)
  }
}
