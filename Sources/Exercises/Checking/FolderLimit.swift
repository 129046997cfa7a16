// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Locking

/// Looks from outside at how much a program that is not trusted keeps in its folder. The kernel limits each file, not
/// how many there are.
final class FolderLimit: Sendable {
  /// The most bytes, counted as a reader would find them, the most entries, and the deepest nesting.
  static let (bytes, entries, depth) = (2 << 30, 10_000, 64)
  private static let pause = Duration.milliseconds(50)

  private let folder = Locked<String?>(nil)
  private let exceeded = Locked(false)

  /// True if a folder held too much at some time.
  var isExceeded: Bool { exceeded.withLock { $0 } }

  /// Looks at this folder from now on.
  func look(at path: String) { folder.withLock { $0 = path } }

  /// Returns once the folder holds too much, or the task is cancelled.
  func watch() async {
    while !Task.isCancelled {
      if let path = folder.withLock({ $0 }),
        workbench_exceeds(path, Int64(Self.bytes), Int32(Self.entries), Int32(Self.depth)) != 0
      {
        exceeded.withLock { $0 = true }
        return
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Removes the folder of the run, where the runner could not: a program may take its own folders' rights away, or nest
  /// them deeper than a path can tell.
  func removeRemains() async {
    guard let path = folder.withLock({ $0 }) else { return }
    let run = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileStamp(run) != nil else { return }
    // Also when the task was cancelled: a tool within it would end at once.
    await Task.detached {
      _ = try? await ToolRun("/bin/chmod", ["-R", "u+rwx", run])
      _ = try? await ToolRun("/bin/rm", ["-rf", "--", run])
    }.value
  }
}
