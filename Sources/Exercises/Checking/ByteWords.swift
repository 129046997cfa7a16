// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Sizes as a person reads them.
enum ByteWords {
  /// The size in the largest unit that it fills, with one decimal, such as `64.3 MiB`.
  static func text(_ bytes: Int) -> String {
    for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] where abs(bytes) >= size {
      return String(format: "%.1f %@", Double(bytes) / Double(size), unit)
    }
    return "\(bytes) B"
  }
}
