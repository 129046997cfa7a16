// SPDX-License-Identifier: Apache-2.0

/// Easy handles that have served a transfer and may serve another.
///
/// They are kept for the origin they served: several of libcurl's flaws carried secrets of one origin to the next one that
/// used the handle (CVE-2026-11856, CVE-2026-6276).
struct IdleHandles {
  private var handles: [String: [EasyHandle]] = [:]
  private var count = 0
  private static let limit = 64

  /// One that served this origin; nil for none.
  mutating func take(for origin: String) -> EasyHandle? {
    guard count > 0, let handle = handles[origin]?.popLast() else { return nil }
    count -= 1
    return handle
  }

  /// Keeps `handle`, unless there are many or it must not be used again (`EasyHandle.hasReceivedLines`).
  mutating func keep(_ handle: EasyHandle, for origin: String) {
    handle.recycle()
    guard !handle.hasReceivedLines || CurlGlobal.forgetsLines, count < Self.limit else { return }
    handles[origin, default: []].append(handle)
    count += 1
  }
}
