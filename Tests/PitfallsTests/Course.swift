// SPDX-License-Identifier: Apache-2.0
import Pitfalls
import Timeline

/// A course of events, written as short as a table needs it. Instants are in milliseconds.
struct Course: Sendable {
  private(set) var events: [ProgramEvent] = []
  private var now: Int64 = 0

  /// The next event comes so many milliseconds later.
  func after(_ milliseconds: Int64) -> Course {
    var next = self
    next.now += milliseconds * 1_000_000
    return next
  }

  func then(
    _ kind: TimelineEvent.Kind, _ subject: UInt64 = 1, on thread: Int = 1, mode: String? = nil, queue: String? = nil,
    _ payload: ProgramEvent.Payload = .none
  ) -> Course {
    var next = self
    let identity = Place.ThreadIdentity(number: thread, name: "", isMain: thread == 1)
    next.events.append(
      ProgramEvent(
        instant: now, subject: subject, kind: kind,
        place: Place(thread: identity, queue: queue, runLoopMode: mode), payload: payload))
    return next
  }

  func step(_ step: ProgramStep, _ subject: UInt64 = 1, on thread: Int = 1, mode: String? = nil) -> Course {
    then(.step(step), subject, on: thread, mode: mode)
  }

  func made(_ form: LoadForm, _ subject: UInt64 = 1, session: UInt64 = 0) -> Course {
    step(.made(form, session: session, method: "GET", url: "http://a/"), subject)
  }

  func callback(
    _ name: String = "f", detail: String = "", _ subject: UInt64 = 1, on thread: Int = 2, mode: String? = nil,
    _ payload: ProgramEvent.Payload = .none
  ) -> Course {
    then(.callback(name: name, detail: detail), subject, on: thread, mode: mode, payload)
  }

  /// A callback that is given something.
  func gives(_ payload: ProgramEvent.Payload, _ name: String = "f", _ subject: UInt64 = 1) -> Course {
    callback(name, subject, payload)
  }

  /// So many looks at a thread that callbacks of `subject` wait for, 50 ms apart.
  func looks(_ count: Int, _ state: TimelineEvent.ThreadState, thread: Int = 1, _ subject: UInt64 = 1) -> Course {
    (0..<count).reduce(self) { course, _ in course.after(50).then(.waiting(thread: thread, state), subject, on: 9) }
  }

  func request(_ facts: RequestFacts, _ subject: UInt64 = 1) -> Course { step(.request(facts), subject) }

  /// This course so many times, each with another number.
  static func each(_ count: UInt64, _ make: (Course, UInt64) -> Course) -> Course {
    (1...count).reduce(Course()) { make($0, $1) }
  }

  /// What is found in it, the program's end included; the worst grade of each.
  var found: [Pitfall: Pitfall.Grade] {
    var (table, sum) = (PitfallTable(), PitfallSum())
    for event in events {
      sum.add(table.take(event))
      sum.add(table.pass(to: event.instant))
    }
    sum.add(table.end(at: now))
    return Dictionary(uniqueKeysWithValues: sum.seen.map { ($0.pitfall, $0.grade) })
  }
}
