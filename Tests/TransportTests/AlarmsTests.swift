// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing

@testable import Transport

@Suite struct AlarmsTests {
  @Test func `alarms go off in the order of their times, those of one time in the order in which they were set`() {
    var alarms = Alarms()
    let heard = Locked<[Int]>([])
    #expect(alarms.next == nil && !alarms.isDue(.max))
    for (number, due) in [(1, 30), (2, 10), (3, 30), (4, 20), (5, 10)] as [(Int, Int64)] {
      alarms.set(for: due) { heard.withLock { $0.append(number) } }
    }
    #expect(alarms.next == 10 && !alarms.isDue(9) && alarms.isDue(10))
    #expect(alarms.takeDue(9).isEmpty)
    for job in alarms.takeDue(20) { job() }
    #expect(heard.withLock { $0 } == [2, 5, 4])
    #expect(alarms.next == 30)
    for job in alarms.takeDue(.max) { job() }
    #expect(heard.withLock { $0 } == [2, 5, 4, 1, 3])
    #expect(alarms.next == nil)
  }

  @Test func `the thread sleeps no longer than until an alarm, which runs on it and not before its time`() {
    let rung = DispatchSemaphore(value: 0)
    let start = ContinuousClock.now
    let isOnThread = Locked(false)
    Transport.after(.milliseconds(20)) {
      Transport.after(.milliseconds(20)) {
        isOnThread.withLock { $0 = IOThread.shared.isCurrent }
        rung.signal()
      }
    }
    #expect(rung.waitPatiently())
    #expect(isOnThread.withLock { $0 })
    #expect(.now - start >= .milliseconds(35))
  }
}
