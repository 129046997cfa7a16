// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Timeline

/// A downloaded file while a callback of the program's has it; a recorder is told what became of it.
package struct HandedFile {
  private let path: String
  private let watch: Int32

  /// The file is about to be handed over; nil while nothing records.
  package init?(_ file: URL) {
    guard Timeline.isRecording else { return nil }
    path = file.path
    watch = unsafe workbench_begin_watch(path)
  }

  /// The callback of the load with this number has returned.
  package func returned(subject: UInt64) {
    let fates: [FileFate] = [.left, .read, .moved, .removed]
    let fate = Int(unsafe workbench_end_watch(watch, path))
    if fates.indices.contains(fate) { Timeline.emit(.step(.fileReturned(fates[fate])), subject: subject) }
  }
}
