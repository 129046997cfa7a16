// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation
import Glibc
import Locking
import Timeline

/// The bench that an example is laid on to be measured: it takes the baseline, runs the program on the calling (main) thread
/// between the instruments, and answers what they saw.
final class Bench: Sendable {
  private let instruments = InstrumentThread()
  private let recorder = CallbackRecorder()
  private let start = Locked(ContinuousClock.now)
  private let end = Locked<ContinuousClock.Instant?>(nil)
  /// The wake-ups before the program's start, of the main thread and of all others.
  private let wakeupsBefore = Locked((main: 0, others: 0))

  /// Brings whatever the instruments themselves need into memory. Call it on the main thread, before the warm-up.
  func prepare() {
    Timeline.install(recorder)
    RunLoop.Mode.prepareTracking()
    instruments.heartbeat.install()
    _ = instruments.memory.curve()
    _ = (instruments.memory.peak(), instruments.threads(), instruments.memory.resetPeak())
    Timeline.emit(.note("warming up"), subject: 0)
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.001, false)
  }

  /// Measures `program`.
  ///
  /// - Parameters:
  ///   - limit: seconds after which the measurement ends as it is, whatever the program does.
  ///   - aftermath: how long the main loop still runs after the program's end, so that a late callback would be seen.
  ///   - prepared: told once everything is warm, just before the program starts.
  ///   - overrun: told on another thread when the limit is over, with what was measured; it must end the process.
  func measure(
    limit: Double, aftermath: Duration, prepared: (Preparation) -> Void,
    overrun: @escaping @Sendable (Measurement) -> Void,
    program: () -> Void
  ) -> Measurement {
    instruments.start(
      limit: limit,
      ready: { prepared(takeBaseline()) },
      look: { [self] in
        Timeline.look()
        recorder.tick()
      },
      overrun: { [self] in overrun(read(hasEnded: false)) })
    program()
    let before = wakeupsBefore.withLock { $0 }
    let mainWakeups = ProcessUsage.ofThread().wakeups - before.main - instruments.heartbeat.wakeups
    end.withLock { $0 = .now }
    recorder.programEnded()
    let (gap, gaps) = (instruments.heartbeat.longestGap(), instruments.heartbeat.unanswered())
    run(for: aftermath / .seconds(1))
    instruments.stop()
    let wakeups = Self.otherWakeups() - before.others - instruments.usage.wakeups
    var measurement = read(hasEnded: true)
    measurement.recording.otherWakeups = max(0, wakeups)
    measurement.recording.mainWakeups = max(0, mainWakeups)
    (measurement.longestGap, measurement.gaps) = (gap, gaps)
    return measurement
  }

  private func takeBaseline() -> Preparation {
    let preparation = Preparation(
      baseline: instruments.memory.resident(), threads: instruments.threads(), usage: .ofProcess(),
      started: Double(Heartbeat.now()) / 1e9)
    _ = instruments.memory.resetPeak()
    instruments.heartbeat.reset()
    wakeupsBefore.withLock { $0 = (ProcessUsage.ofThread().wakeups, Self.otherWakeups()) }
    let now = ContinuousClock.now
    start.withLock { $0 = now }
    recorder.begin(at: now, after: Timeline.nextSubject())
    ProgramObserver.shared.begin(at: now)
    return preparation
  }

  /// Those of all threads but the calling one, which is the main one.
  private static func otherWakeups() -> Int { ProcessUsage.ofProcess().wakeups - ProcessUsage.ofThread().wakeups }

  private func run(for seconds: Double) {
    let until = Date(timeIntervalSinceNow: seconds)
    while until.timeIntervalSinceNow > 0 {
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, until.timeIntervalSinceNow, false)
    }
  }

  private func read(hasEnded: Bool) -> Measurement {
    let usage = ProcessUsage.ofProcess()
    let peak = instruments.memory.peak()
    var (recording, recorderSeconds) = recorder.end()
    ProgramObserver.shared.add(to: &recording)
    recording.unnamedFileBytes = instruments.unnamedFileBytesAtPeak
    let elapsed = (end.withLock { $0 } ?? .now) - start.withLock { $0 }
    var own = instruments.usage
    own.cpu += recorderSeconds
    own.wakeups += instruments.heartbeat.answered
    return Measurement(
      hasEnded: hasEnded, wall: elapsed / .seconds(1), usage: usage, instruments: own, peak: peak,
      curve: instruments.memory.curve(), peakThreads: instruments.threadsAtPeak, threadsAfter: instruments.threads(),
      libraryThreads: instruments.libraryThreadsAtPeak, longestGap: instruments.heartbeat.longestGap(),
      latest: instruments.latest,
      gaps: instruments.heartbeat.unanswered(), recording: recording)
  }
}
