// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation

/// Where one task of a background session stands for this process, and what follows from each fact: events in, actions out.
/// Pure: no lock or I/O.
///
/// Problem: journal, agent and program may be lost at any moment. A task that the agent does not list may never have reached
/// it, or may have ended, and a request that may have been answered is not sent again unless it may be (RFC 9110 section
/// 9.2.2). Choice: one phase, which knows whether the agent had taken the task on; all else lies beside it and goes with it.
struct RemoteTask {
  enum Phase: Equatable {
    /// No journal has it yet, as far as is known.
    case new
    /// The agent's journal has had it.
    case noted
    /// It was cancelled, and the agent is asked for its resume data.
    case stopping
    /// Its end is being delivered.
    case ended
    /// The agent shall forget it, and has not said to have forgotten.
    case forgetting
    case gone
  }

  enum Event {
    /// The agent has sent its list: with this record of the task, or without the task.
    case listed(TransferRecord?)
    /// The agent's journal has it.
    case noted
    case ended(TransferOutcome, TransferCounts)
    /// It was cancelled, and its resume data is wanted.
    case stop
    /// The agent has stopped it, and left this part.
    case stopped(Data?)
    /// It was cancelled, or its end was delivered.
    case finished
    /// The agent has forgotten it.
    case forgotten
    /// The agent cannot be reached, or has refused.
    case givenUp(URLError)
  }

  enum Action {
    case submit
    /// Make good what the agent, which has this record, has not heard.
    case settle(TransferRecord)
    case say(ClientMessage)
    case deliver(TransferOutcome, TransferCounts)
    /// Give the program the part of a task that it has cancelled.
    case handOver(Data?)
    case fail(URLError)
    /// The agent may have had it answered: the request is not sent again.
    case failUnknown
  }

  let key: UUID
  /// True if its request may be sent again though it may have been answered.
  let mayRepeat: Bool
  private(set) var phase: Phase

  /// A task of this process, or one that the agent lists.
  init(_ key: UUID, mayRepeat: Bool, isListed: Bool) {
    (self.key, self.mayRepeat, phase) = (key, mayRepeat, isListed ? .noted : .new)
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .listed(let record?): return listed(record)
    case .listed(nil): return unlisted()
    case .noted: if phase == .new { phase = .noted }
    case .ended(let outcome, let counts):
      guard isOpen else { break }
      phase = .ended
      return [.deliver(outcome, counts)]
    case .stop:
      guard phase == .new || phase == .noted else { break }
      phase = .stopping
      return [.say(.stop(key))]
    case .stopped(let data): return phase == .stopping ? handOver(data) : []
    case .finished: return finished()
    case .forgotten: if phase == .forgetting { phase = .gone }
    case .givenUp(let error): return givenUp(error)
    }
    return []
  }

  /// True if its end is still to come.
  private var isOpen: Bool { phase == .new || phase == .noted || phase == .stopping }

  private mutating func listed(_ record: TransferRecord) -> [Action] {
    switch phase {
    case .new, .noted:
      phase = .noted
      return [.settle(record)]
    case .stopping: return [.say(.stop(key))]
    // A part of it may have come back for another task: a cancel would remove that.
    case .forgetting: return [.say(.acknowledge(key))]
    case .ended, .gone: return []
    }
  }

  private mutating func unlisted() -> [Action] {
    switch phase {
    case .new: return [.submit]
    case .noted where mayRepeat:
      phase = .new
      return [.submit]
    case .noted:
      phase = .gone
      return [.failUnknown]
    case .stopping: return handOver(nil)
    case .forgetting:
      phase = .gone
      return []
    case .ended, .gone: return []
    }
  }

  private mutating func handOver(_ data: Data?) -> [Action] { [.handOver(data)] + finished() }

  private mutating func finished() -> [Action] {
    let isDelivered = phase == .ended
    guard isOpen || isDelivered else { return [] }
    phase = .forgetting
    return [.say(isDelivered ? .acknowledge(key) : .cancel(key))]
  }

  private mutating func givenUp(_ error: URLError) -> [Action] {
    switch phase {
    case .new, .noted, .stopping:
      phase = .gone
      return [.fail(error)]
    case .forgetting: phase = .gone
    case .ended, .gone: break
    }
    return []
  }
}
