// SPDX-License-Identifier: Apache-2.0
import Exercises
import Locking

/// Has a student's program checked when its file was saved, as long as a page of the exercise is open.
///
/// Problem: an editor tells no page that it wrote, several pages may show one exercise, and a save in the midst of a run must
/// not be lost. Choice: each open page looks at the file four times a second, which works on every kind of disk; the checks
/// remembers which state of the file was checked, so that one save is one check. A file that changed between two looks is
/// still being written. Where something else runs, the save waits.
final class SaveChecks: Sendable {
  private static let pause = Duration.milliseconds(250)

  private let seen = Locked<[String: FileStamp]>([:])
  private let board: JobBoard

  init(_ board: JobBoard) {
    self.board = board
  }

  /// Starts the check that a student asks for. The file as it is now counts as checked from then on.
  ///
  /// - Returns: false where something else runs; nothing has changed then.
  func start(_ file: String, _ order: CheckOrder) -> Bool {
    let now = FileStamp(file)
    return seen.withLock { start(file, now, order, &$0) }
  }

  /// The board is asked under the lock, for a look of a page's must not fall between start and note.
  private func start(
    _ file: String, _ now: FileStamp?, _ order: CheckOrder, _ seen: inout [String: FileStamp]
  ) -> Bool {
    guard board.start(.check(order)) else { return false }
    seen[file] = now
    return true
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

  /// Where something else runs, the next look finds the save again.
  private func check(_ file: String, _ now: FileStamp, _ order: CheckOrder) {
    seen.withLock { seen in
      if seen[file] != now { _ = start(file, now, order, &seen) }
    }
  }
}
