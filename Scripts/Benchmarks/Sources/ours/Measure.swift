// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The program's own figures: processor time used, how far resident memory rose above where it stood, and how many
/// threads there are.
struct Measure {
  private let baseline: Int
  private let processor: Int

  /// Sets the high-water mark back and takes it, and the processor time used so far, as the baseline.
  init() {
    if let file = fopen("/proc/self/clear_refs", "w") {
      fputs("5", file)
      fclose(file)
    }
    baseline = Self.figure("VmHWM") * 1024
    processor = Self.processorMicroseconds
  }

  /// Prints the last line.
  func report(_ outcome: Outcome) {
    let processor = Self.processorMicroseconds - processor
    let growth = Self.figure("VmHWM") * 1024 - baseline
    print(
      "processor=\(processor) growth=\(growth) threads=\(Self.figure("Threads"))",
      "transfers=\(outcome.transfers) bytes=\(outcome.bytes)")
  }

  /// Processor time of all threads until now.
  private static var processorMicroseconds: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
  }

  /// A figure of /proc/self/status: "VmHWM" in kB, "Threads" as a count.
  private static func figure(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
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
