// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking
import Pitfalls
import Timeline

/// Writes the program's events into a ring. It allocates nothing for an event and waits for nobody but other threads that
/// write one. Where events found no room, a record tells so as soon as there is some.
///
/// It joins the callbacks that bring consecutive pieces of one body into one event, and writes that event before the next other
/// one and at each `catchUp()`.
final class RingRecorder: TimelineRecorder {
  private struct Output {
    var writer = RecordWriter()
    /// Events that found no room and are not told of yet.
    var lost: UInt64 = 0
    /// Pieces of a body that are not written yet, as one.
    var pieces: ProgramEvent?
  }

  /// Longer pieces stand alone.
  private static let longestPiece: Int64 = 1 << 20

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
    // Only these tell something about a load that its callbacks do not.
    if case .transfer(let stage) = event.kind, ![.connected, .headReceived, .ended].contains(stage) { return }
    output.withLock { output in
      if case .bytes(let bytes) = payload, add(Int64(bytes.count), of: event, to: &output) { return }
      putPieces(&output)
      let event = ProgramEvent(event, payload, since: start)
      if case .bytes(let count) = event.payload, count < Self.longestPiece {
        output.pieces = event
      } else {
        put(event, &output)
      }
    }
  }

  /// Writes what waits, and tells what was lost, without waiting for the next event: what is made from now on is complete.
  func catchUp() {
    output.withLock { output in
      putPieces(&output)
      _ = tellLoss(&output)
    }
  }

  /// True if the bytes of `event` could be added to the pieces that wait.
  private func add(_ count: Int64, of event: TimelineEvent, to output: inout Output) -> Bool {
    guard let pieces = output.pieces, pieces.subject == event.subject, pieces.kind == event.kind,
      pieces.place.thread.number == event.place.thread.number, case .bytes(let sum) = pieces.payload,
      count < Self.longestPiece
    else { return false }
    output.pieces?.payload = .bytes(sum + count)
    output.pieces?.count += 1
    return true
  }

  private func putPieces(_ output: inout Output) {
    if let event = output.pieces.take() { put(event, &output) }
  }

  private func put(_ event: ProgramEvent, _ output: inout Output) {
    if tellLoss(&output) {
      output.writer.clear()
      EventCodec.write(event, to: &output.writer)
      if ring.put(output.writer) { return }
    }
    output.lost += 1
  }

  /// Writes that the program is about to end. Where the ring is full, the reader gets a moment.
  func end() {
    let instant = now
    for _ in 0..<20 {
      let isWritten = output.withLock { output in
        putPieces(&output)
        guard tellLoss(&output) else { return false }
        output.writer.clear()
        output.writer.putEnding(instant)
        return ring.put(output.writer)
      }
      guard !isWritten, !ring.isLeft else { return }
      usleep(10_000)
    }
  }

  /// True if nothing is untold.
  private func tellLoss(_ output: inout Output) -> Bool {
    guard output.lost > 0 else { return true }
    output.writer.clear()
    output.writer.putGap(output.lost, newest: Timeline.newestSubject)
    guard ring.put(output.writer) else { return false }
    output.lost = 0
    return true
  }
}
