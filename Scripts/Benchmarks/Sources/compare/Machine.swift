// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The machine that is measured.
enum Machine {
  /// Its processor and how many there are, as the kernel names them.
  static var words: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let name = text.firstMatch(of: /model name\s*: (.+)/).map { String($0.output.1) } ?? "unknown processor"
    return "\(name), \(ProcessInfo.processInfo.processorCount) processors"
  }
}
