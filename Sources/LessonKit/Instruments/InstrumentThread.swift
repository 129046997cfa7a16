// SPDX-License-Identifier: Apache-2.0
import CLinux
import CoreFoundation
import Foundation
import Glibc
import Synchronization
import Timeline

/// The thread that watches the example from beside it: memory each millisecond, a heartbeat to the main loop and
/// private files each ten, threads each twenty, and a look at the callbacks that wait each fifty. Apart from that look it
/// allocates nothing while the example runs.
///
/// It also keeps two promises that nobody else in the process could keep while the example blocks the main thread:
/// shortly before the parent's time limit it delivers what has been measured so far, and when the parent has gone (its
/// end of our standard input closes) it ends the process.
final class InstrumentThread: Sendable {
  private static let tickNanoseconds = 1_000_000
  private static let beatTicks = 10
  private static let censusTicks = 20
  private static let lookTicks = 50
  private static let parentTicks = 100

  let memory = MemoryGauge()
  let heartbeat = Heartbeat()
  private let stat = ProcFile("stat")
  private let isDone = Atomic<Bool>(false)
  private let hasStopped = DispatchSemaphore(value: 0)
  private let peakThreads = Atomic<Int>(0)
  private let peakLibraryThreads = Atomic<Int>(0)
  private let peakFileBytes = Atomic<Int>(0)
  private let ownCPU = Atomic<Int>(0)
  private let ownWakeups = Atomic<Int>(0)
  private let longestWait = Atomic<Int>(0)

  /// Threads of the process now, without this one and those of the library's transport.
  func threads() -> Int { max(1, stat.number(inField: 17, after: UInt8(ascii: ")")) - 1 - Timeline.libraryThreads) }

  /// The most threads of the program that were seen, and the most of the library's.
  var threadsAtPeak: Int { peakThreads.load(ordering: .relaxed) }
  var libraryThreadsAtPeak: Int { peakLibraryThreads.load(ordering: .relaxed) }

  /// The most bytes that were seen in files which the process has open and no folder names.
  var unnamedFileBytesAtPeak: Int { peakFileBytes.load(ordering: .relaxed) }

  /// The longest time by which this thread woke up later than it asked for, in seconds: what any thread beside it may have had
  /// to wait for a processor.
  var latest: Double { Double(longestWait.load(ordering: .relaxed)) / 1e9 }

  /// The usage of this thread itself, as of its last tick.
  var usage: ProcessUsage {
    ProcessUsage(
      cpu: Double(ownCPU.load(ordering: .relaxed)) / 1e9, wakeups: ownWakeups.load(ordering: .relaxed))
  }

  /// Starts the thread, waits until it is there and calls `ready` on the caller's thread before the first sample.
  ///
  /// `look` is called on the thread itself twenty times a second, and `overrun` when `limit` seconds have passed; it must not
  /// return.
  func start(
    limit: Double, ready: () -> Void, look: @escaping @Sendable () -> Void, overrun: @escaping @Sendable () -> Void
  ) {
    let isThere = DispatchSemaphore(value: 0)
    let go = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      Thread.current.name = "instruments"
      isThere.signal()
      go.wait()
      watch(until: Heartbeat.now() + Int(limit * 1e9), look: look, overrun: overrun)
      hasStopped.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    isThere.wait()
    ready()
    go.signal()
  }

  /// Ends the thread and waits until it has gone.
  func stop() {
    isDone.store(true, ordering: .relaxed)
    hasStopped.wait()
  }

  private func watch(until end: Int, look: () -> Void, overrun: () -> Void) {
    let began = Heartbeat.now()
    var tick = 0
    while !isDone.load(ordering: .relaxed) {
      let now = Heartbeat.now()
      memory.sample(at: now - began)
      if tick % Self.beatTicks == 0 { beat() }
      if tick % Self.censusTicks == 0 { takeCensus() }
      if tick % Self.lookTicks == 0 { look() }
      if tick % Self.parentTicks == 0, Self.parentHasGone() { _exit(1) }
      noteOwnUsage(ticks: tick)
      if now >= end { overrun() }
      let asleep = Heartbeat.now()
      usleep(useconds_t(Self.tickNanoseconds / 1000))
      longestWait.max(Heartbeat.now() - asleep - Self.tickNanoseconds, ordering: .relaxed)
      tick += 1
    }
    noteOwnUsage(ticks: tick)
  }

  private func beat() {
    heartbeat.beat()
    peakFileBytes.max(Int(workbench_unnamed_bytes(128)), ordering: .relaxed)
  }

  private func takeCensus() {
    peakThreads.max(threads(), ordering: .relaxed)
    peakLibraryThreads.max(Timeline.libraryThreads, ordering: .relaxed)
  }

  private func noteOwnUsage(ticks: Int) {
    ownCPU.store(ThreadClock.now(), ordering: .relaxed)
    ownWakeups.store(ticks, ordering: .relaxed)
  }

  /// True if the other end of standard input is closed; the parent holds it open and never writes.
  private static func parentHasGone() -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    return poll(&input, 1, 0) == 1 && input.revents & Int16(POLLHUP) != 0
  }
}
