// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// When this process began.
enum ProcessBeginning {
  /// Seconds since 1970, exact to some hundredths; nil where the kernel does not say.
  static let seconds: Double? = {
    guard let status = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8) else { return nil }
    return ticks(in: status).map { ticks in
      let sinceBoot = Double(ticks) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
      return now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME) + sinceBoot
    }
  }()

  /// The 22nd field (proc(5)), in ticks of the clock since the system began. The second, a name in parentheses, may have
  /// anything in it.
  static func ticks(in status: String) -> UInt64? {
    guard let end = status.lastIndex(of: ")") else { return nil }
    let fields = status[status.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }

  private static func now(_ clock: Int32) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
