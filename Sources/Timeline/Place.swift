// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Where code ran: its thread, and the operation queue or run-loop mode that brought it there.
public struct Place: Sendable, Hashable {
  /// A thread as the reports name it.
  public struct ThreadIdentity: Sendable, Hashable {
    /// 1 for the main thread, then 2, 3, … in the order in which threads first reached the timeline.
    public var number: Int
    /// The thread's name, empty where it has none.
    public var name: String
    /// True if it is the process's main thread, or runs the main queue in its place (`dispatchMain()`).
    public var isMain: Bool

    /// An identity as given; `current` makes the real ones.
    public init(number: Int, name: String, isMain: Bool) {
      self.number = number
      self.name = name
      self.isMain = isMain
    }
  }

  /// The thread.
  public var thread: ThreadIdentity
  /// The name of the operation queue whose operation is running, or nil outside of one.
  public var queue: String?
  /// The mode the thread's run loop is running in, or nil when it is not running.
  public var runLoopMode: String?

  /// A place as given; `current` makes the real ones.
  public init(thread: ThreadIdentity, queue: String? = nil, runLoopMode: String? = nil) {
    self.thread = thread
    self.queue = queue
    self.runLoopMode = runLoopMode
  }

  /// A thread alone, by its number.
  static func of(thread number: Int) -> Place {
    Place(thread: ThreadIdentity(number: number, name: "", isMain: number == 1))
  }

  private static let mainQueueMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueMark) ?? false }

  /// Runs `callbacks`, which all come to one place: with `once` it is found out for the first alone.
  public static func asked(once: Bool, _ callbacks: () -> Void) {
    guard once else { return callbacks() }
    let facts = ThreadFacts.current
    let outer = facts.callbacks
    facts.callbacks = .some(nil)
    callbacks()
    facts.callbacks = outer
  }

  /// The place of the callback that is about to run, or of what it does.
  static func ofCallback() -> Place {
    let facts = ThreadFacts.current
    guard let known = facts.callbacks else { return current() }
    let place = known ?? current()
    facts.callbacks = place
    return place
  }

  /// The place of the calling code. Costs microseconds: ask only while something records.
  public static func current() -> Place {
    Place(
      thread: ThreadIdentity(
        number: ThreadNumber.current, name: Thread.current.name ?? "", isMain: Thread.isMainThread || isOnMainQueue),
      queue: OperationQueue.current.map { $0.name ?? "" },
      runLoopMode: RunLoop.current.currentMode?.rawValue
    )
  }
}
