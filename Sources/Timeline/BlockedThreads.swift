// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Which threads wait for a lock, a semaphore or a condition, as the kernel sees it (proc(5), `wchan` and `status`).
public struct BlockedThreads {
  /// How often each thread had gone to sleep at the last look.
  private var sleeps: [Int: Substring] = [:]

  /// No thread has been looked at.
  public init() {}

  /// True if the thread of this number has waited since the last look at it and waits still, without waking once. False for
  /// a thread that was never looked at, and where the kernel does not tell.
  public mutating func hasWaited(_ number: Int) -> Bool {
    guard let folder = ThreadNumber.folder(of: number),
      Self.text(of: "\(folder)/wchan").contains("futex"),
      let now = Self.text(of: "\(folder)/status").split(separator: "\n").first(where: { $0.hasPrefix("voluntary_") })
    else {
      sleeps[number] = nil
      return false
    }
    return sleeps.updateValue(now, forKey: number) == now
  }

  private static func text(of path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      unsafe max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }
}
