// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking
import Pitfalls
import Timeline

/// Writes the program's events into a ring. It allocates nothing for an event and waits for nobody but other threads that
/// write one. Where events found no room, a record tells so as soon as there is some.
final class RingRecorder: TimelineRecorder {
  private struct Output {
    var writer = RecordWriter()
    /// Events that found no room and are not told of yet.
    var lost: UInt64 = 0
  }

  let ring: EventRing
  private let start = ContinuousClock.now
  private let output = Locked(Output())

  init(_ ring: EventRing) {
    self.ring = ring
  }

  /// Nanoseconds since the recording began.
  var now: Int64 {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) {
    let event = ProgramEvent(event, payload, since: start)
    output.withLock { output in
      if tellLoss(&output) {
        output.writer.clear()
        EventCodec.write(event, to: &output.writer)
        if ring.put(output.writer) { return }
      }
      output.lost += 1
    }
  }

  /// Tells what was lost, without waiting for the next event: what is made from now on is complete.
  func catchUp() { _ = output.withLock { tellLoss(&$0) } }

  /// Writes that the program is about to end. Where the ring is full, the reader gets a moment.
  func end() {
    let instant = now
    for _ in 0..<20 {
      let isWritten = output.withLock { output in
        guard tellLoss(&output) else { return false }
        output.writer.clear()
        output.writer.putEnding(instant)
        return ring.put(output.writer)
      }
      guard !isWritten, !ring.isLeft else { return }
      usleep(10_000)
    }
  }

  /// Whether nothing is untold.
  private func tellLoss(_ output: inout Output) -> Bool {
    guard output.lost > 0 else { return true }
    output.writer.clear()
    output.writer.putGap(output.lost, newest: Timeline.newestSubject)
    guard ring.put(output.writer) else { return false }
    output.lost = 0
    return true
  }
}
