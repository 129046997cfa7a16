// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// What this process holds, as the kernel tells it.
public enum ProcessUsage {
  /// Open descriptors.
  public static var descriptors: Int { count("/proc/self/fd") }
  /// Threads.
  public static var threads: Int { count("/proc/self/task") }
  /// Resident memory now, in bytes.
  public static var resident: Int { status("VmRSS") }
  /// The most resident memory since `resetPeak()`, in bytes.
  public static var peak: Int { status("VmHWM") }

  /// Has the C library give back what it only keeps (malloc_trim(3)), so that `resident` shows what is in use.
  public static func returnFreeMemory() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }

  /// Lets `peak` begin anew ("5" in proc_pid_clear_refs(5)).
  public static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func count(_ directory: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
  }

  private static func status(_ field: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") } ?? ""
    return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
