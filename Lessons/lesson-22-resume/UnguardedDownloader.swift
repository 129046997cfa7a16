// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Defective: the note's pause without the line that forgets the task. A
/// second press asks a task that has ended.
final class UnguardedDownloader: NoteDownloader, @unchecked Sendable {
  // begin pause
  override func pause() {
    downloadTask?.cancel { [self] data in
      print("resume data: \(data == nil ? "none" : "some")")
      resumeData = data  // ←
    }
  }
  // end pause
}
