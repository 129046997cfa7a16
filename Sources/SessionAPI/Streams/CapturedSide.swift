// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

/// One side of a captured connection as a `Stream` shows it: status, and events on run loops. What is common to both
/// streams, whose superclasses differ.
final class CapturedSide: @unchecked Sendable {
  // Sendable: `stream` is set once, before any other thread has the object; the rest is constant or locked.

  private enum Phase {
    case notOpen, open, closed
  }

  private struct State {
    var phase = Phase.notOpen
    /// How many calls read or write just now.
    var calls = 0
    var source: RunLoopSource?
    var hasReportedOpening = false
    var hasReportedEnd = false
    /// True if bytes or room are to be reported again: after each read or write.
    var reportsMore = true
  }

  weak var stream: Stream?
  private let side: StreamSide
  private let connection: CapturedConnection
  private let state = Locked(State())

  init(_ side: StreamSide, of connection: CapturedConnection) {
    (self.side, self.connection) = (side, connection)
    connection.watch(side) { [weak self] in self?.signal() }
  }

  /// The stream is gone.
  deinit {
    close()
  }

  // MARK: - As a Stream's

  func open() {
    state.withLock { if $0.phase == .notOpen { $0.phase = .open } }
    signal()
  }

  /// Leaves its run loops, too.
  func close() {
    let source = state.withLock { state in
      state.phase = .closed
      return state.source.take()
    }
    connection.close(side)
    source?.close()
  }

  var status: Stream.Status {
    let (phase, isBusy) = state.withLock { ($0.phase, $0.calls > 0) }
    switch phase {
    case .notOpen: return .notOpen
    case .closed: return .closed
    case .open: break
    }
    let facts = connection.facts(of: side)
    if facts.error != nil { return .error }
    if facts.isOver, facts.count == 0 { return .atEnd }
    return isBusy ? (side == .read ? .reading : .writing) : .open
  }

  var error: URLError? { status == .error ? connection.facts(of: side).error : nil }

  /// True if a read or write would not wait.
  var isReady: Bool { state.withLock { $0.phase == .open } && connection.facts(of: side).count > 0 }

  func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) {
    let source = state.withLock { state -> RunLoopSource? in
      guard state.phase != .closed else { return nil }
      let source = state.source ?? RunLoopSource { [weak self] in self?.reportEvent() }
      state.source = source
      return source
    }
    source?.add(runLoop, mode)
    signal()
  }

  func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
    state.withLock { $0.source }?.remove(runLoop, mode)
  }

  /// Reads or writes with `body`, unless the stream is not open: then -1.
  func perform(_ body: (CapturedConnection) -> Int) -> Int {
    let isOpen = state.withLock { state in
      guard state.phase == .open else { return false }
      state.calls += 1
      return true
    }
    guard isOpen else { return -1 }
    let count = body(connection)
    state.withLock { state in
      state.calls -= 1
      state.reportsMore = true
    }
    signal()
    return count
  }

  // MARK: - Events

  /// Lets the next event come on a run loop, if there is one to report.
  private func signal() {
    let facts = connection.facts(of: side)
    state.withLock { Self.next($0, facts, side) == nil ? nil : $0.source }?.signal()
  }

  /// One event at a time, so that the loop's other sources have their turn.
  private func reportEvent() {
    let facts = connection.facts(of: side)
    let event = state.withLock { state in
      let event = Self.next(state, facts, side)
      switch event {
      case Stream.Event.openCompleted?: state.hasReportedOpening = true
      case Stream.Event.errorOccurred?, Stream.Event.endEncountered?: state.hasReportedEnd = true
      case .some: state.reportsMore = false
      case nil: break
      }
      return event
    }
    if let event, let stream { stream.delegate?.stream(stream, handle: event) }
    signal()
  }

  private static func next(_ state: State, _ facts: CapturedState.Facts, _ side: StreamSide) -> Stream.Event? {
    guard state.phase == .open, !state.hasReportedEnd else { return nil }
    if !state.hasReportedOpening { return .openCompleted }
    if facts.error != nil { return .errorOccurred }
    if facts.count > 0 {
      guard state.reportsMore else { return nil }
      return side == .read ? .hasBytesAvailable : .hasSpaceAvailable
    }
    return facts.isOver && side == .read ? .endEncountered : nil
  }
}
