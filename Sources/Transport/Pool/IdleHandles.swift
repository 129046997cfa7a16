// SPDX-License-Identifier: Apache-2.0

/// Easy handles that have served a transfer and may serve another.
///
/// They are kept for the origin they served: several of libcurl's flaws carried secrets of one origin to the next one that
/// used the handle (CVE-2026-11856, CVE-2026-6276).
struct IdleHandles {
  private var handles: [String: [EasyHandle]] = [:]
  private var count = 0
  private static let limit = 64

  /// How many origins have one.
  var originCount: Int { handles.count }

  /// One that served this origin; nil for none.
  mutating func take(for origin: String) -> EasyHandle? {
    guard count > 0, let handle = handles[origin]?.popLast() else { return nil }
    count -= 1
    if handles[origin]?.isEmpty == true { handles[origin] = nil }
    return handle
  }

  /// Keeps `handle`, unless its origin has all that may wait or it must not be used again (`EasyHandle.hasReceivedLines`,
  /// `EasyHandle.mustNotBeKept`). Where all that may wait serve others, one of those goes.
  mutating func keep(_ handle: EasyHandle, for origin: String) {
    handle.recycle()
    guard !handle.hasReceivedLines || CurlFacts.current.forgetsLines, !handle.mustNotBeKept else { return }
    if count == Self.limit {
      guard let other = handles.keys.first(where: { $0 != origin }) else { return }
      _ = take(for: other)
    }
    handles[origin, default: []].append(handle)
    count += 1
  }
}
