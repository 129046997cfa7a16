// SPDX-License-Identifier: Apache-2.0

/// How far a figure may differ between two runs of one build without meaning anything.
///
/// A difference of medians counts from a floor and a share on. A single run of each is worth little: what else the machine
/// does moves it by a multiple, so that floor and share are larger there. From three repetitions on each side, all
/// figures of one side must lie beyond all of the other's as well.
struct Noise {
  /// The least difference that counts.
  private struct Least {
    var floor: Double
    /// The difference divided by the smaller median.
    var share: Double
  }

  private let once: Least
  private let repeated: Least

  /// Seconds on the clock: 5 ms with repetitions. Of single runs beside many other programs, 0.1 s became 2.2 s.
  static let time = Noise(once: Least(floor: 3, share: 4), repeated: Least(floor: 0.005, share: 0.5))
  /// Seconds of processor time: 5 ms with repetitions. Of single runs beside many other programs, 38 ms became 170 ms.
  static let processor = Noise(once: Least(floor: 0.2, share: 3), repeated: Least(floor: 0.005, share: 0.5))
  /// Bytes of memory: 1 MiB with repetitions. Of single runs beside many other programs, 3.0 MiB became 5.1 MiB.
  static let growth = Noise(
    once: Least(floor: 4 * 1_048_576, share: 0.25), repeated: Least(floor: 1_048_576, share: 0.1))
  /// Requests that reached the server: each one counts.
  static let requests = Noise(once: Least(floor: 1, share: 0), repeated: Least(floor: 1, share: 0))
  /// Threads of the program, to which Dispatch adds where the processors are busy: of single runs, 5 became 31.
  static let threads = Noise(once: Least(floor: 32, share: 1), repeated: Least(floor: 3, share: 0.5))

  /// Repetitions from which on their range says something.
  private static let enough = 3

  /// True if the two sides differ by more than noise.
  func isExceeded(_ before: [Double], _ after: [Double]) -> Bool {
    guard let low = before.min(), let high = before.max(), let least = after.min(), let most = after.max() else {
      return false
    }
    let isRepeated = min(before.count, after.count) >= Self.enough
    let (first, second) = (before.median, after.median)
    let difference = (second - first).magnitude
    let bound = isRepeated ? repeated : once
    guard difference >= bound.floor, difference >= bound.share * min(first.magnitude, second.magnitude) else {
      return false
    }
    return !isRepeated || most < low || least > high
  }
}

extension [Double] {
  /// The figure in the middle, the upper one of two; 0 where there is none.
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
