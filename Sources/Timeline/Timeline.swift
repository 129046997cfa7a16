// SPDX-License-Identifier: Apache-2.0
import Locking
import Synchronization

/// The one place where both APIs and the transport report events, to the recorder that a program has installed.
///
/// Without a recorder an emission costs one relaxed atomic load: arguments are not even evaluated.
public enum Timeline {
  /// True if a recorder is installed.
  public static var isRecording: Bool { recording.load(ordering: .relaxed) }

  /// Installs `recorder` in place of the one before; nil ends the recording. Events already under way on other threads
  /// may still reach the old one.
  public static func install(_ recorder: (any TimelineRecorder)?) {
    current.withLock { $0 = recorder }
    recording.store(recorder != nil, ordering: .relaxed)
  }

  /// Ends the recording in a child that this process has just forked: takes no lock, for a thread that is not there any
  /// more may hold it.
  public static func stopInForkedChild() { recording.store(false, ordering: .relaxed) }

  /// Reports an event that happens here and now to the recorder, if there is one.
  public static func emit(
    _ kind: @autoclosure () -> TimelineEvent.Kind,
    subject: UInt64,
    payload: @autoclosure () -> TimelineEvent.Payload = .none
  ) {
    guard isRecording, let recorder = current.withLock({ $0 }) else { return }
    let kind = kind()
    let event = TimelineEvent(instant: began ?? .now, subject: subject, kind: kind, place: kind.place)
    recorder.record(event, payload: payload())
  }

  /// Reports what happened earlier on the thread of this number, 0 for none.
  public static func emit(
    _ kind: TimelineEvent.Kind, subject: UInt64, at instant: ContinuousClock.Instant, thread: Int
  ) {
    guard isRecording, let recorder = current.withLock({ $0 }) else { return }
    recorder.record(
      TimelineEvent(instant: instant, subject: subject, kind: kind, place: .of(thread: thread)), payload: .none)
  }

  /// Lets the events that `announce` emits on this thread bear the instant at which they began.
  public static func asOf(_ instant: ContinuousClock.Instant, _ announce: () -> Void) {
    $began.withValue(instant, operation: announce)
  }

  @TaskLocal private static var began: ContinuousClock.Instant?

  /// How many threads of its own the library has now, apart from those of the program.
  public static var libraryThreads: Int { ownThreads.load(ordering: .relaxed) }

  /// Called by a thread of the library when it begins.
  public static func libraryThreadBegan() { ownThreads.add(1, ordering: .relaxed) }

  /// Called by a thread of the library when it is about to end.
  public static func libraryThreadEnded() { ownThreads.subtract(1, ordering: .relaxed) }

  /// A number for a new load, unique in the process.
  public static func nextSubject() -> UInt64 {
    subjects.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number that was given last.
  public static var newestSubject: UInt64 { subjects.load(ordering: .relaxed) }

  private static let recording = Atomic<Bool>(false)
  private static let ownThreads = Atomic<Int>(0)
  private static let subjects = Atomic<UInt64>(0)
  private static let current = Locked<(any TimelineRecorder)?>(nil)
}
