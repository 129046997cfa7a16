// SPDX-License-Identifier: Apache-2.0
import Timeline

/// The decisions about one task's life: what `resume`, `suspend` and `cancel` mean for its load.
///
/// Any thread may call those three at any time, and what they decide is carried out outside of the lock. Two threads
/// could then perform their actions in the wrong order; so one thread at a time takes actions, until none is left
/// (`beginActing`, then `nextAction` until it returns nil), and each action is computed from what is wanted at that moment.
struct TaskLife {
  /// The action that is due on the load now.
  enum Action: Equatable {
    case start, pause, resume, cancel

    /// The step on the timeline; a load tells itself that it was cancelled.
    var step: ProgramStep? {
      switch self {
      case .start: .started
      case .pause: .suspended
      case .resume: .resumed
      case .cancel: nil
      }
    }
  }

  private(set) var state = URLSessionTask.State.suspended
  /// Each suspend wants a resume; a new task wants one.
  private var suspensions = 1
  private var isStarted = false
  private var wasResumed = false
  private var isPaused = false
  private var isCancelRequested = false
  private var isActing = false
  /// True if the load has ended, though its end may not have been delivered yet.
  private(set) var hasEnded = false

  /// True if a delegate may still be called with anything but the end.
  var isWanted: Bool { state == .running || state == .suspended }

  /// True if a session lists the task: it runs, or did and is suspended.
  var isListed: Bool { isWanted && wasResumed }

  /// True if the task was ever resumed as often as it was suspended.
  var wasStarted: Bool { isStarted }

  // MARK: Events

  mutating func resumed() {
    guard isWanted, suspensions > 0 else { return }
    suspensions -= 1
    if suspensions == 0 { (state, wasResumed) = (.running, true) }
  }

  mutating func suspended() {
    guard isWanted else { return }
    suspensions += 1
    state = .suspended
  }

  mutating func cancelled() {
    guard isWanted else { return }
    state = .canceling
  }

  /// The load ended: no action is left.
  mutating func ended() { hasEnded = true }

  /// The end is being delivered: nothing changes any more. Returns whether the task had been cancelled before.
  mutating func completed() -> Bool {
    defer { state = .completed }
    return state == .canceling
  }

  /// Another task continues the load: returns its life, and ends this one.
  mutating func handedOver() -> TaskLife {
    var next = self
    next.isActing = false
    (state, hasEnded) = (.completed, true)
    return next
  }

  // MARK: Actions

  /// True if the caller shall take actions now; false while another thread does.
  mutating func beginActing() -> Bool {
    defer { isActing = true }
    return !isActing
  }

  /// The next action for the thread that acts, or nil, with which it has ceased to act.
  mutating func nextAction() -> Action? {
    let action = hasEnded ? nil : wantedAction()
    switch action {
    case .start: isStarted = true
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .cancel: isCancelRequested = true
    case nil: isActing = false
    }
    return action
  }

  private func wantedAction() -> Action? {
    switch state {
    case .running where !isStarted: .start
    case .running where isPaused: .resume
    case .suspended where isStarted && !isPaused: .pause
    case .canceling where !isCancelRequested: .cancel
    default: nil
    }
  }
}
