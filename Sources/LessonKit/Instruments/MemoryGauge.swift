// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The process's resident memory: now, at its highest, and over time, measured without allocating.
///
/// A sample is one read of /proc/self/statm, some microseconds. The highest value between two samples is not lost: the
/// kernel keeps its own high-water mark, which is reset at the start (proc(5): "5" to clear_refs) and read at the end.
///
/// The kernel counts pages per processor and sums them up late, so every figure may lag by some pages per processor;
/// 40 KiB were seen missing on two processors.
final class MemoryGauge: @unchecked Sendable {
  // Sendable: the samples are written by the instruments' thread alone and read after it has ended, or by itself.
  private struct Sample {
    var nanoseconds: Int
    var bytes: Int
  }

  private static let capacity = 4096
  private let statm = ProcFile("statm")
  private let status = ProcFile("status")
  private let pageSize = sysconf(Int32(_SC_PAGESIZE))
  private let samples: UnsafeMutableBufferPointer<Sample>
  private var count = 0
  private var stride = 1
  private var skipped = 0
  private var pending = Sample(nanoseconds: 0, bytes: 0)

  init() {
    samples = .allocate(capacity: Self.capacity)
    samples.initialize(repeating: Sample(nanoseconds: 0, bytes: 0))
  }

  deinit {
    samples.deallocate()
  }

  /// Resident bytes now.
  func resident() -> Int { statm.number(inField: 1) * pageSize }

  /// The kernel's high-water mark in bytes since the last `resetPeak`.
  func peak() -> Int { status.number(after: "VmHWM:") * 1024 }

  /// Sets the high-water mark to what is resident now; false where the kernel does not let us.
  func resetPeak() -> Bool {
    let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return write(file, "5", 1) == 1
  }

  /// Takes a sample at this instant after the start. When the memory for samples is full every second pair is merged
  /// and later samples are merged alike, so that a long run keeps its whole curve.
  func sample(at nanoseconds: Int) {
    let bytes = resident()
    if bytes >= pending.bytes || skipped == 0 { pending = Sample(nanoseconds: nanoseconds, bytes: bytes) }
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    if count == Self.capacity { halve() }
    samples[count] = pending
    count += 1
    pending.bytes = 0
  }

  /// The curve in at most `limit` points, of each stretch the highest.
  func curve(limit: Int = 120) -> [CurvePoint] {
    guard count > 0 else { return [] }
    let width = max(1, (count + limit - 1) / limit)
    return Swift.stride(from: 0, to: count, by: width).map { start in
      var highest = samples[start]
      for index in start..<min(start + width, count) where samples[index].bytes > highest.bytes {
        highest = samples[index]
      }
      return CurvePoint(instant: Double(highest.nanoseconds / 1000) / 1e6, bytes: highest.bytes)
    }
  }

  private func halve() {
    for index in 0..<(Self.capacity / 2) {
      let (first, second) = (samples[2 * index], samples[2 * index + 1])
      samples[index] = first.bytes >= second.bytes ? first : second
    }
    count = Self.capacity / 2
    stride *= 2
  }
}
