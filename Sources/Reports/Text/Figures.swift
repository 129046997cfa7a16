// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Sizes, times and counts as a person reads them.
enum Figures {
  /// A size with the unit that suits it, such as `12.4 MiB`; powers of 1,024.
  static func size(_ bytes: Int) -> String {
    let amount = Double(bytes.magnitude)
    if amount < 1024 { return "\(bytes) B" }
    if amount < 1024 * 1024 { return String(format: "%.0f KiB", Double(bytes) / 1024) }
    if amount < 1024 * 1024 * 1024 { return String(format: "%.1f MiB", Double(bytes) / 1_048_576) }
    return String(format: "%.2f GiB", Double(bytes) / 1_073_741_824)
  }

  /// A time with the unit that suits it, such as `2.31 s` or `0.4 ms`.
  static func time(_ seconds: Double) -> String {
    if seconds < 0.0995 { return String(format: seconds < 0.00995 ? "%.1f ms" : "%.0f ms", seconds * 1000) }
    return String(format: "%.2f s", seconds)
  }

  /// A number and its noun, such as `1 request` and `3 requests`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
