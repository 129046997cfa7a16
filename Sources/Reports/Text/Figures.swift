// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Sizes and times as a person reads them. A no-break space keeps value and unit in one line.
enum Figures {
  private static let space = "\u{A0}"
  /// The S, in bytes, from which on growths are given in units of S.
  private static let leastS = 1 << 20

  /// A size with the unit that suits it, such as `12.4 MiB`; powers of 1,024.
  static func size(_ bytes: Int) -> String {
    let amount = Double(bytes.magnitude)
    if amount < 1024 { return "\(bytes)\(space)B" }
    if amount < 1024 * 1024 { return String(format: "%.0f\(space)KiB", Double(bytes) / 1024) }
    if amount < 1024 * 1024 * 1024 { return String(format: "%.1f\(space)MiB", Double(bytes) / 1_048_576) }
    return String(format: "%.2f\(space)GiB", Double(bytes) / 1_073_741_824)
  }

  /// A time with the unit that suits it, such as `2.31 s` or `0.4 ms`.
  static func time(_ seconds: Double) -> String {
    if seconds < 0.0995 {
      return String(format: seconds < 0.00995 ? "%.1f\(space)ms" : "%.0f\(space)ms", seconds * 1000)
    }
    return String(format: "%.2f\(space)s", seconds)
  }

  /// The least and the most of some amounts, such as `9.2–13 ms`; the unit stands once where both have the same.
  static func range<Amount: Comparable>(_ amounts: [Amount], _ words: (Amount) -> String) -> String {
    guard let least = amounts.min().map(words), let most = amounts.max().map(words) else { return "" }
    guard least != most else { return least }
    let (first, second) = (least.split(separator: space), most.split(separator: space))
    return "\(first.last == second.last ? first.first.map(String.init) ?? least : least)–\(most)"
  }

  /// A number and its noun, such as `1 request` and `3 requests`.
  static func count(_ number: Int, _ noun: String) -> String { Phrase.count(number, noun).description }

  /// A growth and its part of S, such as `+1.6 MiB = 0.03 S`, or `+420 KiB < 0.01 S`. A small S is less than what two runs
  /// differ by, so that a part of it says nothing: then the growth stands alone.
  static func growth(_ bytes: Int, of size: Int) -> String {
    guard size >= leastS else { return "+\(self.size(bytes))" }
    let ratio = Double(bytes) / Double(size)
    let share = ratio < 0.01 ? "< 0.01" : "= \(String(format: "%.2f", ratio))"
    return "+\(self.size(bytes)) \(share)\(space)S"
  }
}
