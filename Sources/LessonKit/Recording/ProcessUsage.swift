// SPDX-License-Identifier: Apache-2.0
import CLinux
import CoreFoundation
import Foundation
import Glibc

/// The usage that the kernel has counted for a process or thread.
struct ProcessUsage: Codable, Sendable, Hashable {
  /// Processor seconds, user and system.
  var cpu: Double
  /// Voluntary context switches.
  var wakeups: Int

  init(cpu: Double = 0, wakeups: Int = 0) {
    self.cpu = cpu
    self.wakeups = wakeups
  }

  init(_ usage: rusage) {
    cpu = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    wakeups = usage.ru_nvcsw
  }

  /// This process so far.
  static func ofProcess() -> ProcessUsage {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return ProcessUsage(usage)
  }

  /// The calling thread so far. RUSAGE_THREAD (1) needs _GNU_SOURCE, which a header must not define.
  static func ofThread() -> ProcessUsage {
    var usage = rusage()
    getrusage(1, &usage)
    return ProcessUsage(usage)
  }

  /// Waits on a thread of its own until the child has ended, and answers what the kernel counted for it; nil when it is
  /// no child of ours. The exit status stays for whoever reaps the child.
  static func ofFinishedChild(_ child: pid_t) async -> ProcessUsage? {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        var usage = rusage()
        var result = workbench_wait_for_usage(child, &usage)
        while result != 0, errno == EINTR {
          result = workbench_wait_for_usage(child, &usage)
        }
        done.resume(returning: result == 0 ? ProcessUsage(usage) : nil)
      }
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
