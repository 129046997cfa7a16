// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LessonKit

/// Looks for /proc before anything else is done: there the Swift runtime reads the arguments, so that without it each command
/// would be none at all, and the instruments read memory and threads.
enum ProcFileSystem {
  /// Ends the process with 3 and a sentence where there is no /proc (proc(5)).
  static func check() {
    guard access("/proc/self/cmdline", R_OK) != 0 else { return }
    var reader = LanguageOptions()
    // The arguments cannot be read, and with them no option for the language.
    reader.language = nil
    reader.messages.tell(
      """
      /proc cannot be read: the arguments of a process, its memory and its threads stand there. Mount it, with “mount -t \
      proc proc /proc”, or start the container or chroot with it.
      """)
    exit(ExitStatus.environment.rawValue)
  }
}
