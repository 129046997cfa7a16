// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// The connection that a stream task had, between the I/O thread and the two streams that took over from it.
///
/// A stream is read and written on any thread and may wait there; the load works on the I/O thread alone. They
/// meet here, behind one lock: received bytes wait until they are read, and bytes that were written until the system has
/// taken them, at most 256 KiB each way. The load holds its client, so a connection lives until both streams are closed or
/// gone, and what was written is sent; then the load is finished, once.
final class CapturedConnection: LoadClient, RawConnectionClient {
  /// Bytes that may wait in one direction.
  static let limit = 256 * 1024
  /// How long a peer may take to receive the last bytes after both streams are closed.
  private static let lingering: TimeInterval = 60

  private let load: Load
  /// True if the bytes are a body that waits in the load, and nothing can be written.
  private let isBody: Bool
  private let state: Locked<CapturedState>

  /// Takes over from a task that had come so far; on the I/O thread. `isHeld`: the task wanted no more for now.
  init(_ load: Load, isBody: Bool, isHeld: Bool, _ captured: StreamMachine.Captured, _ errors: CapturedErrors) {
    (self.load, self.isBody) = (load, isBody)
    state = Locked(CapturedState(captured, errors, isHeld: isHeld))
  }

  /// Is the load's client from now on; on the I/O thread. `hasEnded`: the load did long ago.
  func begin(hasEnded: Bool) -> LoadEnd {
    let end = load.becomeIndependent(for: self)
    if hasEnded { state.withLock { $0.bodyEnded(nil) } }
    if isBody { takeBody() }
    return end
  }

  /// Has `changed` called, on any thread, when there may be something new for this side.
  func watch(_ side: StreamSide, _ changed: @escaping @Sendable () -> Void) {
    state.withLock { $0.watchers[side] = changed }
  }

  // MARK: - The streams' side, on any thread

  func facts(of side: StreamSide) -> CapturedState.Facts { state.withLock { $0.facts(of: side) } }

  /// Fills a part of the buffer as soon as something is there: the count, 0 at the end, -1 when nothing can be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let news = DispatchSemaphore(value: 0)
      let (count, wantsMore) = state.withLock { unsafe $0.read(into: buffer, or: news) }
      if wantsMore { Load.onThread { self.wantMore() } }
      if let count { return count }
      news.wait()
    }
  }

  /// Takes a part of the bytes as soon as there is room: the count, or -1 when nothing can be written.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    while true {
      let news = DispatchSemaphore(value: 0)
      let (count, isFirst) = state.withLock { unsafe $0.write(bytes, or: news) }
      if isFirst { Load.onThread { self.sendOutbox() } }
      if let count { return count }
      news.wait()
    }
  }

  /// This side is not used any more. What was written is still sent, and then its end.
  func close(_ side: StreamSide) {
    let isNew = state.withLock { $0.close(side) }
    guard isNew else { return }
    report([side])
    Load.onThread { [self] in
      if side == .read { wantMore() } else { sendOutbox() }
      finishIfClosed()
    }
  }

  // MARK: - The load's side, on the I/O thread

  func load(_ load: Load, didReceive bytes: UnsafeRawBufferPointer) -> Bool {
    let continues = state.withLock { unsafe $0.arrived(bytes) }
    report([.read])
    return continues
  }

  func loadReachedEndOfInput(_ load: Load) {
    state.withLock { $0.isInputOver = true }
    report([.read])
  }

  func load(_ load: Load, didTake total: Int64) {
    state.withLock { $0.taken = total }
    report([.write])
    finishIfClosed()
  }

  func loadHasBody(_ load: Load) { takeBody() }

  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    // The parts of a body that has some are read one after the other.
    if let question { load.accept(.stream, answering: question) }
  }

  func load(_ load: Load, didEnd end: LoadEnd) {
    if isBody {
      state.withLock { $0.bodyEnded(end.error) }
      takeBody()
    } else {
      state.withLock { $0.ended(end.error) }
    }
    report([.read, .write])
  }

  private func takeBody() {
    while !state.withLock({ $0.isHeld }), let piece = load.takeBody(atMost: 64 * 1024) {
      _ = state.withLock { state in unsafe piece.withUnsafeBytes { unsafe state.arrived($0) } }
    }
    if !load.hasBody { state.withLock { $0.bodyTaken() } }
    report([.read])
  }

  private func wantMore() {
    guard state.withLock({ $0.isRelieved() }) else { return }
    if isBody { takeBody() } else { load.resumeReading() }
  }

  private func sendOutbox() {
    let (bytes, isLast) = state.withLock { $0.takeOutbox() }
    for piece in bytes { load.send(piece) }
    if isLast { load.endSending() }
  }

  /// Ends the load once neither stream needs it and everything is sent, or after a while.
  private func finishIfClosed() {
    switch state.withLock({ $0.whatToFinish() }) {
    case .nothing: break
    case .now: load.finish(nil)
    case .later:
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.lingering) { [weak load] in
        guard let load else { return }
        Load.onThread { load.finish(nil) }
      }
    }
  }

  /// Wakes the calls that wait, and signals the watchers.
  private func report(_ sides: [StreamSide]) {
    for side in sides {
      let (waiting, watcher) = state.withLock { $0.takeWaiting(side) }
      for semaphore in waiting { semaphore.signal() }
      watcher?()
    }
  }
}
