// SPDX-License-Identifier: Apache-2.0
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
      if let path = folder.withLock({ $0 }), Self.isFull(path) {
        exceeded.withLock { $0 = true }
        return
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private static func isFull(_ folder: String) -> Bool {
    let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
    let place = URL(fileURLWithPath: folder, isDirectory: true)
    guard let walk = FileManager.default.enumerator(at: place, includingPropertiesForKeys: keys) else { return false }
    var (left, count) = (bytes, 0)
    while let file = walk.nextObject() as? URL {
      count += 1
      if let values = try? file.resourceValues(forKeys: Set(keys)), values.isRegularFile == true {
        left -= values.fileSize ?? 0
      }
      if left < 0 || count > entries || walk.level > depth { return true }
    }
    return false
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
