// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking
import Synchronization
import Timeline

/// The figures of a thread at its end.
public struct ThreadEnd: Codable, Sendable, Hashable {
  /// When it ended, in seconds since the example's start.
  public var instant: Double
  /// Processor seconds it used, user and system.
  public var cpu: Double
  /// How often it slept and was woken.
  public var wakeups: Int
}

/// Prints a line as the standard library's function does, which it hides where LessonKit is imported; time and thread of
/// the line are noted.
public func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map { "\($0)" }.joined(separator: separator)
  ProgramObserver.shared.note(text)
  Swift.print(text, terminator: terminator)
}

/// Sees, inside the example's process, what happens beside the callbacks: lines printed, threads ending, a touch.
final class ProgramObserver: Sendable {
  static let shared = ProgramObserver()

  private struct State {
    var start: ContinuousClock.Instant?
    var lines: [PrintedLine] = []
    var shown: [ShownValue] = []
    var threadEnds: [Int: ThreadEnd] = [:]
    var touch: Touch?
  }

  /// Lines that are kept, half of them the first and half the last: what a program says at its end matters, too.
  private static let lineLimit = 400
  /// How many shown values are kept, and how many bytes of each.
  private static let (shownLimit, textLimit) = (4000, 4096)
  private let state = Locked(State())
  private let callbacks = Atomic<Int>(0)
  /// Read while `state` is locked: one thread at a time.
  private let memory = ProcFile("statm")
  private let pageSize = sysconf(Int32(_SC_PAGESIZE))
  private let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    pthread_key_create(&key) { number in
      if let number { ProgramObserver.shared.threadEnded(Int(bitPattern: number)) }
    }
    self.key = key
  }

  /// Starts noting; instants count from `start`.
  func begin(at start: ContinuousClock.Instant) {
    state.withLock { $0 = State(start: start) }
  }

  /// Puts what was seen into a recording.
  func add(to recording: inout Recording) {
    let seen = state.withLock { $0 }
    recording.lines = seen.lines
    recording.shown = seen.shown
    recording.threadEnds = seen.threadEnds
    recording.touch = seen.touch
  }

  /// A callback came.
  func countCallback() {
    callbacks.add(1, ordering: .relaxed)
  }

  /// A line is about to be printed on the calling thread, whose end will be noted, too.
  func note(_ text: String) {
    guard let instant = now() else { return }
    let place = PlaceCount(.current(), count: 1)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: place.thread.id))
    state.withLock { state in
      if state.lines.count == Self.lineLimit { state.lines.remove(at: Self.lineLimit / 2) }
      state.lines.append(
        PrintedLine(
          text: text, instant: instant, thread: place.thread, runLoopMode: place.runLoopMode,
          resident: memory.number(inField: 1) * pageSize))
    }
  }

  /// The program shows its user something.
  func show(_ kind: ShownValue.Kind, _ text: String) {
    guard let instant = now() else { return }
    let place = PlaceCount(.current(), count: 1)
    let value = ShownValue(
      kind: kind, text: String(text.prefix(Self.textLimit)), instant: instant, thread: place.thread,
      runLoopMode: place.runLoopMode)
    state.withLock { state in
      if state.shown.count == Self.shownLimit { state.shown.remove(at: Self.shownLimit / 2) }
      state.shown.append(value)
    }
  }

  /// Returns the text of this kind that was shown last; empty where none was.
  func lastShown(_ kind: ShownValue.Kind) -> String {
    state.withLock { state in state.shown.last { $0.kind == kind }?.text ?? "" }
  }

  /// The touch begins.
  func touchBegan() {
    guard let instant = now() else { return }
    state.withLock { $0.touch = Touch(stretch: .init(began: instant, ended: instant), callbacks: 0) }
  }

  /// The touch has lasted for `Touch.settling`: callbacks count from here on.
  func touchSettled() {
    guard let instant = now() else { return }
    let count = callbacks.load(ordering: .relaxed)
    state.withLock { state in
      state.touch?.countedFrom = instant
      state.touch?.callbacks = -count
    }
  }

  /// The touch is over.
  func touchEnded() {
    guard let instant = now() else { return }
    let count = callbacks.load(ordering: .relaxed)
    state.withLock { state in
      state.touch?.stretch.ended = instant
      state.touch?.callbacks += count
    }
  }

  private func threadEnded(_ number: Int) {
    guard let instant = now() else { return }
    let usage = ProcessUsage.ofThread()
    state.withLock { $0.threadEnds[number] = ThreadEnd(instant: instant, cpu: usage.cpu, wakeups: usage.wakeups) }
  }

  private func now() -> Double? {
    state.withLock { $0.start }.map { (ContinuousClock.now - $0) / .seconds(1) }
  }
}
