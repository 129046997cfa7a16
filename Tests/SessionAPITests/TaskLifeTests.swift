// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SessionAPI

@Suite struct TaskLifeTests {
  @Test func `a new task is suspended and starts with its first resume`() {
    var life = TaskLife()
    #expect(life.state == .suspended)
    #expect(life.orders() == [])
    life.resumed()
    #expect(life.state == .running)
    #expect(life.orders() == [.start])
    #expect(life.orders() == [])
  }

  @Test func `each suspend wants a resume`() {
    var life = TaskLife()
    life.suspended()
    life.resumed()
    #expect(life.orders() == [])
    life.resumed()
    #expect(life.orders() == [.start])
  }

  @Test func `a resume too many counts for nothing`() {
    var life = TaskLife()
    life.resumed()
    life.resumed()
    #expect(life.orders() == [.start])
    life.suspended()
    #expect(life.state == .suspended)
    #expect(life.orders() == [.pause])
  }

  @Test func `suspending and resuming a running task pauses it and lets it go on`() {
    var life = TaskLife()
    life.resumed()
    #expect(life.orders() == [.start])
    life.suspended()
    life.suspended()
    #expect(life.orders() == [.pause])
    life.resumed()
    #expect(life.orders() == [])
    life.resumed()
    #expect(life.orders() == [.goOn])
  }

  @Test func `only what is still wanted is ordered`() {
    var life = TaskLife()
    life.resumed()
    #expect(life.orders() == [.start])
    life.suspended()
    life.resumed()
    #expect(life.orders() == [])
  }

  @Test func `one thread at a time takes orders`() {
    var life = TaskLife()
    life.resumed()
    let begins = [life.beginActing(), life.beginActing()]
    #expect(begins == [true, false])
    #expect(life.nextOrder() == .start)
    life.cancelled()
    #expect(life.nextOrder() == .cancel)
    #expect(life.nextOrder() == nil)
    #expect(life.orders() == [])
  }

  @Test func `a cancel before the first resume is ordered, and a resume after it has no effect`() {
    var life = TaskLife()
    life.cancelled()
    #expect(life.state == .canceling)
    #expect(life.orders() == [.cancel])
    life.resumed()
    #expect(life.orders() == [])
  }

  @Test func `a cancel of a running or suspended task is ordered once`() {
    var life = TaskLife()
    life.resumed()
    _ = life.orders()
    life.suspended()
    life.cancelled()
    life.cancelled()
    #expect(life.orders() == [.cancel])
    #expect(life.orders() == [])
  }

  @Test func `nothing changes a completed task`() {
    var life = TaskLife()
    life.resumed()
    _ = life.orders()
    life.ended()
    let wasCancelled = life.completed()
    #expect(!wasCancelled)
    life.cancelled()
    life.suspended()
    #expect(life.state == .completed)
    #expect(life.orders() == [])
  }

  @Test func `a cancel after the load's end but before its delivery still counts`() {
    var life = TaskLife()
    life.resumed()
    _ = life.orders()
    life.ended()
    life.cancelled()
    #expect(life.orders() == [])
    let wasCancelled = life.completed()
    #expect(wasCancelled)
  }
}

extension TaskLife {
  fileprivate mutating func orders() -> [Order] {
    guard beginActing() else { return [] }
    var orders: [Order] = []
    while let order = nextOrder() { orders.append(order) }
    return orders
  }
}
