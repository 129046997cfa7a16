// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import URLLoading

/// The decisions about a connection that a task has to itself: events in, actions out. Pure.
protocol RawConnectionMachine: SendableMetatype {
  associatedtype Action
  /// The connection stands.
  mutating func opened() -> [Action]
  /// Bytes arrived.
  mutating func arrived(_ bytes: UnsafeRawBufferPointer) -> [Action]
  /// The peer sends nothing more.
  mutating func inputEnded() -> [Action]
  /// So many bytes of those that were ordered have left.
  mutating func wrote(_ total: Int64) -> [Action]
}

extension StreamMachine: RawConnectionMachine {}
extension WebSocketMachine: RawConnectionMachine {}

/// The common part of the drivers of a stream and of a WebSocket: calls of the user that wait for their answers, and a machine
/// that takes each event. A subclass performs the machine's actions, and is the task's `RawConnectionUser`.
///
/// Everything happens on the I/O thread; so what is sent has one order, and no lock guards it.
class RawConnectionDriver<Machine: RawConnectionMachine, Call>: @unchecked Sendable {
  // Sendable: the state is touched on the I/O thread alone.

  var machine: Machine
  /// True if the machine wants no more bytes for now.
  var isHeld = false
  private var calls: [Int: Call] = [:]
  private var lastNumber = 0
  private var actions: [Machine.Action] = []
  private var isPerforming = false
  /// Callbacks that report the end of the connection. The driver posts them once the client has received all data.
  private var endings: [@Sendable () -> Void] = []
  private var lullTimer: (any DispatchSourceTimer)?
  /// Counts the timers, so that a cancelled one which fires late changes nothing.
  private var lulls = 0
  /// Seconds without a call of the client after which the driver posts them although data is left.
  private static var lull: TimeInterval { 1 }

  init(_ machine: Machine) {
    self.machine = machine
  }

  /// Does what the machine has decided.
  func carryOut(_ action: Machine.Action, _ task: URLSessionTask) {}

  /// True if the machine holds data that the client has not received.
  var holdsReceived: Bool { false }

  // MARK: - The user's calls

  /// Numbers a call that waits for its answer.
  func take(_ call: Call) -> Int {
    lastNumber += 1
    calls[lastNumber] = call
    return lastNumber
  }

  /// The call that is to be answered now, once.
  func claim(_ number: Int) -> Call? { calls.removeValue(forKey: number) }

  /// Gives the machine a call of the user's; from any thread.
  func report(_ task: URLSessionTask, _ event: @escaping @Sendable (inout Machine) -> [Machine.Action]) {
    Load.onThread { [self] in perform(event(&machine), task) }
  }

  // MARK: - The connection's events

  func received(_ bytes: UnsafeRawBufferPointer, _ task: URLSessionTask) -> Bool {
    unsafe perform(machine.arrived(bytes), task)
    return !isHeld
  }

  func sent(_ total: Int64, _ task: URLSessionTask) {
    perform(machine.wrote(total), task)
  }

  func inputEnded(_ task: URLSessionTask) {
    perform(machine.inputEnded(), task)
  }

  // MARK: - The ends

  /// Posts the callback once the client has received all data, at once if `isUrgent`. A client that calls receive again in each
  /// handler gets all of it first.
  func tell(_ task: URLSessionTask, isUrgent: Bool = false, _ ending: @escaping @Sendable () -> Void) {
    endings.append(ending)
    tellEndings(task, isUrgent: isUrgent)
  }

  /// The client has made a call, and the time without one starts again.
  func clientCalled(_ task: URLSessionTask) {
    if !endings.isEmpty { tellEndings(task) }
  }

  private func tellEndings(_ task: URLSessionTask, isUrgent: Bool = false) {
    lullTimer?.cancel()
    lullTimer = nil
    lulls += 1
    guard isUrgent || !holdsReceived else {
      let number = lulls
      lullTimer = makeTimer(Self.lull) { [weak self, weak task] in
        guard let self, let task else { return }
        task.mailbox.post {
          Load.onThread { if self.lulls == number { self.tellEndings(task, isUrgent: true) } }
        }
      }
      return
    }
    let told = endings
    endings = []
    for tell in told { tell() }
  }

  // MARK: - Actions

  /// Performs actions one after the other, also those that follow from others.
  func perform(_ new: [Machine.Action], _ task: URLSessionTask) {
    Load.assertOnThread()
    actions += new
    guard !isPerforming else { return }
    isPerforming = true
    var next = 0
    while next < actions.count {
      carryOut(actions[next], task)
      next += 1
    }
    actions = []
    isPerforming = false
  }

  // MARK: - Time

  /// Reports to the machine that so much time has passed, unless the timer is cancelled before.
  func makeTimer(
    _ seconds: TimeInterval, _ task: URLSessionTask,
    _ event: @escaping @Sendable (inout Machine) -> [Machine.Action]
  ) -> any DispatchSourceTimer {
    makeTimer(seconds) { [weak self, weak task] in
      if let self, let task { self.report(task, event) }
    }
  }

  /// Calls `act` on a queue when so many seconds are over.
  func makeTimer(_ seconds: TimeInterval, then act: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler(handler: act)
    timer.schedule(deadline: .now() + seconds)
    timer.activate()
    return timer
  }
}
