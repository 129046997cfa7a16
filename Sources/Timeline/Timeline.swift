// SPDX-License-Identifier: Apache-2.0
import Locking
import Synchronization

/// The one place where both APIs and the transport tell what happens, for whoever installed a recorder.
///
/// While nobody records, an emission costs one relaxed atomic load: arguments are not even evaluated.
public enum Timeline {
  /// Whether a recorder is installed.
  public static var isRecording: Bool { recording.load(ordering: .relaxed) }

  /// Installs `recorder` in place of the one before; nil ends the recording. Events already under way on other threads
  /// may still reach the old one.
  public static func install(_ recorder: (any TimelineRecorder)?) {
    current.withLock { $0 = recorder }
    recording.store(recorder != nil, ordering: .relaxed)
  }

  /// Tells the recorder, if there is one, of an event that happens here and now.
  public static func emit(
    _ kind: @autoclosure () -> TimelineEvent.Kind,
    subject: UInt64,
    payload: @autoclosure () -> TimelineEvent.Payload = .none
  ) {
    guard isRecording, let recorder = current.withLock({ $0 }) else { return }
    let event = TimelineEvent(instant: .now, subject: subject, kind: kind(), place: .current())
    recorder.record(event, payload: payload())
  }

  /// A number for a new load, unique in the process.
  public static func nextSubject() -> UInt64 {
    subjects.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let recording = Atomic<Bool>(false)
  private static let subjects = Atomic<UInt64>(0)
  private static let current = Locked<(any TimelineRecorder)?>(nil)
}
