// SPDX-License-Identifier: Apache-2.0

/// Jobs that run on the I/O thread at a certain time, the earliest first. Pure.
///
/// The thread already sleeps no longer than until the next time-out; an alarm is one more reason to wake, and costs neither
/// a thread nor a descriptor. Most are set for the same short delay, so a new one belongs near the end.
struct Alarms {
  private struct Alarm {
    let due: Int64
    let run: IOThread.Job
  }

  private var waiting: [Alarm] = []

  /// When the first is due, in nanoseconds of the monotonic clock; nil when there is none.
  var next: Int64? { waiting.first?.due }

  /// True if one is due.
  func isDue(_ now: Int64) -> Bool { waiting.first.map { $0.due <= now } ?? false }

  /// Sets an alarm, behind those of the same time.
  mutating func set(for due: Int64, _ job: @escaping IOThread.Job) {
    let place = waiting.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
    waiting.insert(Alarm(due: due, run: job), at: place)
  }

  /// Takes off what is due.
  mutating func takeDue(_ now: Int64) -> [IOThread.Job] {
    let count = waiting.firstIndex { $0.due > now } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count).map(\.run)
  }
}
