// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A curve over time, of memory or of bytes that came, in one line of block characters.
struct Sparkline {
  /// A curve that never leaves this many bytes above the baseline is not stretched to look like a mountain.
  static let leastHeight = 4 << 20
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// The line; each character is the highest sample of its stretch of time. Empty when there is nothing to show.
  let line: String

  /// The curve of `memory` over `duration` seconds, `columns` characters wide, full at `height` bytes above the baseline.
  init(_ memory: MemoryUse, duration: Double, columns: Int, height: Int) {
    // Sampling continues for a moment after the example's end, to see late callbacks; that moment is not its curve.
    let curve = memory.curve.filter { $0.instant <= duration }
    guard curve.count > 1, columns > 1 else {
      line = ""
      return
    }
    let end = max(duration, 0.000_001)
    var highest = [Int?](repeating: nil, count: columns)
    for point in curve {
      let column = min(columns - 1, Int(point.instant / end * Double(columns)))
      highest[column] = max(highest[column] ?? 0, point.bytes - memory.baseline)
    }
    var last = 0
    var text = ""
    for value in highest {
      last = value ?? last
      text.append(Self.block(last, of: height))
    }
    line = text
  }

  /// The curve of the bytes that had come until each moment, full at `most`.
  init(sumsOf flow: ByteFlow, most: Int, duration: Double, columns: Int) {
    var sums = [Int](repeating: 0, count: max(1, columns))
    for (index, bytes) in flow.bytes.enumerated() where bytes > 0 {
      let end = Double(index + 1) * flow.width / max(duration, 0.000_001)
      sums[min(columns - 1, Int(end * Double(columns)))] += bytes
    }
    var sum = 0
    line = String(
      sums.map { bytes in
        sum += bytes
        return Self.block(sum, of: most)
      })
  }

  private static func block(_ value: Int, of height: Int) -> Character {
    let step = Int((Double(max(0, value)) / Double(max(1, height)) * 7).rounded())
    return blocks[min(7, step)]
  }
}
