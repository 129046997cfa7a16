// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The memory and the threads of another process, by /proc; nothing where this process may not look there.
struct ProcessGauge {
  private let folder: String
  private static let points = 480
  private(set) var curve: [CurvePoint] = []
  private(set) var peak = 0
  private(set) var threads = 0
  private var stride = 1
  private var skipped = 0

  init(_ process: Int32) { folder = "/proc/\(process)" }

  /// The command line of the process, arguments with spaces between; empty where it cannot be read.
  var command: String {
    let bytes = FileManager.default.contents(atPath: folder + "/cmdline") ?? Data()
    return String(decoding: bytes.map { $0 == 0 ? 32 : $0 }, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }

  /// Takes a sample at this instant, in seconds. Of each stretch the highest is kept.
  mutating func sample(at instant: Double) {
    guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8) else { return }
    let (resident, highest) = (Self.number("VmRSS:", in: status) * 1024, Self.number("VmHWM:", in: status) * 1024)
    threads = max(threads, Self.number("Threads:", in: status))
    peak = max(peak, highest, resident)
    guard resident > 0 else { return }
    skipped += 1
    if skipped < stride, let last = curve.last, last.bytes >= resident { return }
    if skipped < stride, !curve.isEmpty { curve.removeLast() } else { skipped = 0 }
    curve.append(CurvePoint(instant: instant, bytes: resident))
    if curve.count == Self.points { thin() }
  }

  /// True if the process has a file of this name mapped.
  func maps(_ name: String) -> Bool {
    (try? String(contentsOfFile: folder + "/maps", encoding: .utf8))?.contains(name) ?? false
  }

  private mutating func thin() {
    curve = Swift.stride(from: 0, to: curve.count, by: 2).map { index in
      let pair = curve[index...].prefix(2)
      return pair.max { $0.bytes < $1.bytes } ?? curve[index]
    }
    stride *= 2
  }

  private static func number(_ key: String, in status: String) -> Int {
    status.split(separator: "\n").first { $0.hasPrefix(key) }
      .flatMap { Int($0.dropFirst(key.count).drop { $0 == "\t" || $0 == " " }.prefix { $0.isNumber }) } ?? 0
  }
}
