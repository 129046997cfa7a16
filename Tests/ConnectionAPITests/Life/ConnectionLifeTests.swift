// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConnectionAPI

@Suite(.inOrder) struct ConnectionLifeTests {
  private let queue = OperationQueue()

  private func isIgnored(_ verdict: ConnectionLife.Verdict) -> Bool {
    if case .ignore = verdict { true } else { false }
  }

  @Test func `neither scheduled nor given a queue, a start takes the starter's loop (A.2)`() {
    var life = ConnectionLife()
    #expect(life.started() == .proceed)
    guard case .starter = life.destination else { return #expect(Bool(false), "\(life.destination)") }
  }

  @Test func `a second start has no effect (A.1)`() {
    var life = ConnectionLife()
    _ = life.started()
    #expect(isIgnored(life.started()))
    #expect(life.ended() == true)
    #expect(isIgnored(life.started()))
  }

  @Test func `schedule and setDelegateQueue are a mistake in either order (A.2)`() {
    var scheduled = ConnectionLife()
    #expect(scheduled.scheduleAsked() == .proceed)
    #expect(scheduled.queueAsked(queue) == .programmerError(ConnectionLife.mixture))
    var queued = ConnectionLife()
    #expect(queued.queueAsked(queue) == .proceed)
    #expect(queued.scheduleAsked() == .programmerError(ConnectionLife.mixture))
  }

  @Test func `what was taken back is no mixture (A.2)`() {
    var unscheduled = ConnectionLife()
    _ = unscheduled.scheduleAsked()
    #expect(unscheduled.unscheduleAsked(leavesNone: true) == .proceed)
    #expect(unscheduled.queueAsked(queue) == .proceed)
    var unqueued = ConnectionLife()
    _ = unqueued.queueAsked(queue)
    #expect(unqueued.queueAsked(nil) == .proceed)
    #expect(unqueued.scheduleAsked() == .proceed)
  }

  @Test func `one of two places taken back is still a schedule (A.2)`() {
    var life = ConnectionLife()
    _ = life.scheduleAsked()
    _ = life.scheduleAsked()
    _ = life.unscheduleAsked(leavesNone: false)
    #expect(life.queueAsked(queue) == .programmerError(ConnectionLife.mixture))
  }

  @Test func `after the start scheduling has no effect (A.2)`() {
    var life = ConnectionLife()
    _ = life.started()
    #expect(isIgnored(life.scheduleAsked()))
    #expect(isIgnored(life.unscheduleAsked(leavesNone: true)))
  }

  @Test func `after the start a queue is relayed to only from the starter's loop (A.2)`() {
    var starter = ConnectionLife()
    _ = starter.started()
    #expect(starter.queueAsked(queue) == .relay)
    var scheduled = ConnectionLife()
    _ = scheduled.scheduleAsked()
    _ = scheduled.started()
    #expect(isIgnored(scheduled.queueAsked(queue)))
    var queued = ConnectionLife()
    _ = queued.queueAsked(queue)
    _ = queued.started()
    #expect(isIgnored(queued.queueAsked(nil)))
  }

  @Test func `a load is over once (A.5)`() {
    var life = ConnectionLife()
    #expect(life.ended() == true)
    #expect(life.ended() == false)
    #expect(isIgnored(life.started()))
  }
}
