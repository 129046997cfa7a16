// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import Locking
import Timeline

/// A downloaded file while a callback of the program's has it; a recorder is told what became of it.
package final class HandedFile: Sendable {
  private let subject: UInt64
  private let thread: Int
  private let path: String
  /// The watch, until the file has been judged.
  private let watch: Locked<Int32?>

  /// The file of the load with this number is about to be handed over, on this thread; nil while nothing records.
  package init?(_ file: URL, subject: UInt64) {
    guard Timeline.isRecording else { return nil }
    (self.subject, thread, path) = (subject, ThreadNumber.current, file.path)
    watch = Locked(unsafe workbench_begin_watch(path))
    _ = Self.isWatching
    Self.underWay.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// The callback has returned.
  package func returned() {
    judge()
    Self.underWay.withLock { $0[ObjectIdentifier(self)] = nil }
  }

  private func judge() {
    guard let watch = watch.withLock({ $0.take() }) else { return }
    let fates: [FileFate] = [.left, .read, .moved, .removed]
    let fate = Int(unsafe workbench_end_watch(watch, path))
    if fates.indices.contains(fate) { Timeline.emit(.step(.fileReturned(fates[fate])), subject: subject) }
  }

  // MARK: - A program that ends meanwhile

  private static let underWay = Locked<[ObjectIdentifier: HandedFile]>([:])
  private static let isWatching: Void = Timeline.onLook { isAtEnd in if isAtEnd { judgeAll() } }

  /// Many a callback lets its program end by a signal shortly before it returns, so those of other threads get a moment.
  private static func judgeAll() {
    for _ in 0..<20 where underWay.withLock({ $0.values.contains { $0.thread != ThreadNumber.current } }) {
      usleep(5_000)
    }
    for file in underWay.withLock({ Array($0.values) }) { file.judge() }
  }
}
