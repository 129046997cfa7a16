// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The program's own figures: processor time used, how far resident memory rose above where it stood, and how many
/// threads there are. Where another process does the program's work, its figures are added.
struct Measure {
  private let processes: [pid_t]
  private let baseline: Int
  private let processor: Int
  private let begun = ContinuousClock.now

  /// Sets the high-water marks back and takes them, and the processor time used so far, as the baseline.
  init(with helper: pid_t? = nil) {
    processes = [getpid()] + (helper.map { [$0] } ?? [])
    for process in processes {
      guard let file = fopen("/proc/\(process)/clear_refs", "w") else { continue }
      fputs("5", file)
      fclose(file)
    }
    baseline = Self.sum(processes) { Self.figure("VmHWM", of: $0) * 1024 }
    processor = Self.sum(processes, Self.processorMicroseconds)
  }

  /// Prints the last line.
  func report(_ outcome: Outcome) {
    let wall = Int((ContinuousClock.now - begun) / .microseconds(1))
    let processor = Self.sum(processes, Self.processorMicroseconds) - processor
    let growth = Self.sum(processes) { Self.figure("VmHWM", of: $0) * 1024 } - baseline
    let threads = Self.sum(processes) { Self.figure("Threads", of: $0) }
    print(
      "processor=\(processor) wall=\(wall) growth=\(growth) threads=\(threads)",
      "transfers=\(outcome.transfers) bytes=\(outcome.bytes)")
  }

  private static func sum(_ processes: [pid_t], _ figure: (pid_t) -> Int) -> Int {
    processes.reduce(0) { $0 + figure($1) }
  }

  /// Processor time of all threads of a process until now, those that have ended included.
  private static func processorMicroseconds(of process: pid_t) -> Int {
    var (clock, time) = (clockid_t(), timespec())
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  /// A figure of /proc/PID/status: "VmHWM" in kB, "Threads" as a count.
  private static func figure(_ name: String, of process: pid_t) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      guard strncmp(line, name, name.utf8.count) == 0 else { continue }
      return line.withUnsafeBufferPointer { text in
        guard let start = text.baseAddress else { return 0 }
        return strtol(start + name.utf8.count + 1, nil, 10)
      }
    }
    return 0
  }

  static func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
