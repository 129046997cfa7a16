// SPDX-License-Identifier: Apache-2.0
import Exercises
import Locking

/// Has a student's program checked when its file was saved, as long as a page of the exercise is open.
///
/// Problem: an editor tells no page that it wrote, several pages may show one exercise, and a save in the midst of a run must
/// not be lost. Choice: each open page looks at the file four times a second, which works on every kind of disk; the desk
/// remembers which state of the file was checked, so that one save is one check. A file that changed between two looks is
/// still being written. Where something else runs, the save waits.
final class SaveDesk: Sendable {
  private static let pause = Duration.milliseconds(250)

  private let seen = Locked<[String: FileStamp]>([:])
  private let board: JobBoard

  init(_ board: JobBoard) {
    self.board = board
  }

  /// The file as it is now counts as checked.
  func note(_ file: String) {
    let now = FileStamp(file)
    seen.withLock { $0[file] = now }
  }

  /// Orders a check after each save of `file`, until the task is cancelled.
  func watch(_ file: String, _ order: CheckOrder) async {
    var last = FileStamp(file)
    seen.withLock { if $0[file] == nil { $0[file] = last } }
    while (try? await Task.sleep(for: Self.pause)) != nil {
      let now = FileStamp(file)
      if let now, now == last { check(file, now, order) }
      last = now
    }
  }

  private func check(_ file: String, _ now: FileStamp, _ order: CheckOrder) {
    let before = seen.withLock { seen in
      defer { seen[file] = now }
      return seen[file]
    }
    guard before != now, !board.start(.check(order)) else { return }
    // Something else runs: the next look finds the save again.
    seen.withLock { if $0[file] == now { $0[file] = before } }
  }
}
