// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SessionAPI

@Suite struct TaskLifeTests {
  @Test func `a new task is suspended and starts with its first resume`() {
    var life = TaskLife()
    #expect(life.state == .suspended)
    #expect(life.actions() == [])
    life.resumed()
    #expect(life.state == .running)
    #expect(life.actions() == [.start])
    #expect(life.actions() == [])
  }

  @Test func `each suspend wants a resume`() {
    var life = TaskLife()
    life.suspended()
    life.resumed()
    #expect(life.actions() == [])
    life.resumed()
    #expect(life.actions() == [.start])
  }

  @Test func `a resume too many counts for nothing`() {
    var life = TaskLife()
    life.resumed()
    life.resumed()
    #expect(life.actions() == [.start])
    life.suspended()
    #expect(life.state == .suspended)
    #expect(life.actions() == [.pause])
  }

  @Test func `suspending and resuming a running task pauses it and lets it go on`() {
    var life = TaskLife()
    life.resumed()
    #expect(life.actions() == [.start])
    life.suspended()
    life.suspended()
    #expect(life.actions() == [.pause])
    life.resumed()
    #expect(life.actions() == [])
    life.resumed()
    #expect(life.actions() == [.resume])
  }

  @Test func `only what is still wanted is ordered`() {
    var life = TaskLife()
    life.resumed()
    #expect(life.actions() == [.start])
    life.suspended()
    life.resumed()
    #expect(life.actions() == [])
  }

  @Test func `one thread at a time takes actions`() {
    var life = TaskLife()
    life.resumed()
    let begins = [life.beginActing(), life.beginActing()]
    #expect(begins == [true, false])
    #expect(life.nextAction() == .start)
    life.cancelled()
    #expect(life.nextAction() == .cancel)
    #expect(life.nextAction() == nil)
    #expect(life.actions() == [])
  }

  @Test func `a cancel before the first resume is ordered, and a resume after it has no effect`() {
    var life = TaskLife()
    life.cancelled()
    #expect(life.state == .canceling)
    #expect(life.actions() == [.cancel])
    life.resumed()
    #expect(life.actions() == [])
  }

  @Test func `a cancel of a running or suspended task is ordered once`() {
    var life = TaskLife()
    life.resumed()
    _ = life.actions()
    life.suspended()
    life.cancelled()
    life.cancelled()
    #expect(life.actions() == [.cancel])
    #expect(life.actions() == [])
  }

  @Test func `nothing changes a completed task`() {
    var life = TaskLife()
    life.resumed()
    _ = life.actions()
    life.ended()
    let wasCancelled = life.completed()
    #expect(!wasCancelled)
    life.cancelled()
    life.suspended()
    #expect(life.state == .completed)
    #expect(life.actions() == [])
  }

  @Test func `a cancel after the load's end but before its delivery still counts`() {
    var life = TaskLife()
    life.resumed()
    _ = life.actions()
    life.ended()
    life.cancelled()
    #expect(life.actions() == [])
    let wasCancelled = life.completed()
    #expect(wasCancelled)
  }
}

extension TaskLife {
  fileprivate mutating func actions() -> [Action] {
    guard beginActing() else { return [] }
    var actions: [Action] = []
    while let action = nextAction() { actions.append(action) }
    return actions
  }
}
