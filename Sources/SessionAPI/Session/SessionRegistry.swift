// SPDX-License-Identifier: Apache-2.0

/// The tasks of a session from their making to their completion, and how far its invalidation has come.
struct SessionRegistry {
  private enum Phase {
    case open, finishing, cancelling, invalid
  }

  private var phase = Phase.open
  private var last = 0
  private var tasks: [Int: URLSessionTask] = [:]
  /// Tasks that exist, also those which are being made right now and are not in `tasks` yet.
  private var count = 0

  /// The tasks, in the order of their making.
  var all: [URLSessionTask] { tasks.values.sorted { $0.number < $1.number } }

  /// True if every task has completed.
  var isEmpty: Bool { count == 0 }

  /// The number of a new task, which counts from now on; nil when the session takes no more.
  mutating func reserve() -> Int? {
    guard phase == .open else { return nil }
    last += 1
    count += 1
    return last
  }

  /// The number of a task that an earlier process made: its own, unless that is taken here; nil as above.
  mutating func reserve(again number: Int) -> Int? {
    guard phase == .open else { return nil }
    let isFree = number > 0 && number < Int.max / 2 && tasks[number] == nil
    last = max(last, isFree ? number : last + 1)
    count += 1
    return isFree ? number : last
  }

  /// The task is made. Returns whether it has to be cancelled, because its session was meanwhile.
  mutating func insert(_ task: URLSessionTask) -> Bool {
    tasks[task.number] = task
    return phase == .cancelling
  }

  /// The number of a task that takes the place of `task`; nil when that has completed.
  mutating func reserve(inPlaceOf task: URLSessionTask) -> Int? {
    guard tasks[task.number] != nil else { return nil }
    last += 1
    return last
  }

  /// The next task takes the place of the last. Returns whether it has to be cancelled, because its session was meanwhile.
  mutating func replace(_ task: URLSessionTask, by next: URLSessionTask) -> Bool {
    tasks[task.number] = nil
    return insert(next)
  }

  /// The task has completed. Returns whether the session has become invalid with that.
  mutating func remove(_ task: URLSessionTask) -> Bool {
    guard tasks.removeValue(forKey: task.number) != nil else { return false }
    count -= 1
    return becomesInvalid()
  }

  /// No new tasks from now on. Returns whether the session has become invalid at once.
  mutating func finish() -> Bool {
    guard phase == .open else { return false }
    phase = .finishing
    return becomesInvalid()
  }

  /// No new tasks, and an end to the others. Returns whether the session has become invalid at once.
  mutating func cancel() -> Bool {
    guard phase == .open || phase == .finishing else { return false }
    phase = .cancelling
    return becomesInvalid()
  }

  private mutating func becomesInvalid() -> Bool {
    guard phase == .finishing || phase == .cancelling, count == 0 else { return false }
    phase = .invalid
    return true
  }
}
