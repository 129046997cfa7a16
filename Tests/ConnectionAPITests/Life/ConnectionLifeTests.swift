// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConnectionAPI

@Suite(.inOrder) struct ConnectionLifeTests {
  private let queue = OperationQueue()

  private func isIgnored(_ verdict: ConnectionLife.Verdict) -> Bool {
    if case .ignore = verdict { true } else { false }
  }

  @Test func `A.2 neither scheduled nor given a queue, a start takes the starter's loop`() {
    var life = ConnectionLife()
    #expect(life.started() == .proceed)
    guard case .starter = life.way else { return #expect(Bool(false), "\(life.way)") }
  }

  @Test func `A.1 a second start has no effect`() {
    var life = ConnectionLife()
    _ = life.started()
    #expect(isIgnored(life.started()))
    #expect(life.ended() == true)
    #expect(isIgnored(life.started()))
  }

  @Test func `A.2 schedule and setDelegateQueue are a mistake in either order`() {
    var scheduled = ConnectionLife()
    #expect(scheduled.scheduleAsked() == .proceed)
    #expect(scheduled.queueAsked(queue) == .programmerError(ConnectionLife.mixture))
    var queued = ConnectionLife()
    #expect(queued.queueAsked(queue) == .proceed)
    #expect(queued.scheduleAsked() == .programmerError(ConnectionLife.mixture))
  }

  @Test func `A.2 what was taken back is no mixture`() {
    var unscheduled = ConnectionLife()
    _ = unscheduled.scheduleAsked()
    #expect(unscheduled.unscheduleAsked(leavesNone: true) == .proceed)
    #expect(unscheduled.queueAsked(queue) == .proceed)
    var unqueued = ConnectionLife()
    _ = unqueued.queueAsked(queue)
    #expect(unqueued.queueAsked(nil) == .proceed)
    #expect(unqueued.scheduleAsked() == .proceed)
  }

  @Test func `A.2 one of two places taken back is still a schedule`() {
    var life = ConnectionLife()
    _ = life.scheduleAsked()
    _ = life.scheduleAsked()
    _ = life.unscheduleAsked(leavesNone: false)
    #expect(life.queueAsked(queue) == .programmerError(ConnectionLife.mixture))
  }

  @Test func `A.2 after the start scheduling has no effect`() {
    var life = ConnectionLife()
    _ = life.started()
    #expect(isIgnored(life.scheduleAsked()))
    #expect(isIgnored(life.unscheduleAsked(leavesNone: true)))
  }

  @Test func `A.2 after the start a queue is relayed to only from the starter's loop`() {
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

  @Test func `A.5 a load is over once`() {
    var life = ConnectionLife()
    #expect(life.ended() == true)
    #expect(life.ended() == false)
    #expect(isIgnored(life.started()))
  }
}
