// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit

/// A file that a command writes. Whether it can be written is looked at before anything is measured; the file itself is
/// replaced in one step, so that a reader finds the former one or the whole new one.
struct OutputFile {
  /// The path as the person gave it.
  let path: String
  private let file: URL

  /// A file at `path`.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` where it is no plain file, or its folder takes no new file.
  init(_ path: String) throws(LessonKitError) {
    self.path = path
    file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    var status = stat()
    if stat(file.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw LessonKitError(.unreadable, "“\(path)” is no plain file: name one that may be written or replaced.")
    }
    let folder = file.deletingLastPathComponent().path
    let trial = folder + "/.workbench-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let descriptor = path.isEmpty ? -1 : open(trial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LessonKitError(
        .unreadable, "“\(path)” cannot be written: its folder is missing or takes no new file.")
    }
    close(descriptor)
    unlink(trial)
  }

  /// Replaces the file.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be written now.
  func write(_ text: String) throws(LessonKitError) {
    do {
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw LessonKitError(
        .environment, "“\(path)” cannot be written now. Is there space, and is its folder still there?")
    }
  }
}
