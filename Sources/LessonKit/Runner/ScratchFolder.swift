// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The folder of one run, with a folder for each example in it, all removed at the end.
struct ScratchFolder: Sendable {
  private let path: String

  /// Makes the run's folder where this system keeps temporary files.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be made; the text says why and what helps.
  init() throws(LessonKitError) {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array((parent + "/workbench-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw Self.cannotWrite(parent, errno) }
    path = String(cString: made)
  }

  /// A new, empty folder in it.
  func makeSubfolder() throws(LessonKitError) -> String {
    let folder = path + "/" + UUID().uuidString
    guard mkdir(folder, 0o700) == 0 else { throw Self.cannotWrite(path, errno) }
    return folder
  }

  /// Writes a file into it and answers its path.
  func write(_ text: String, named name: String) throws(LessonKitError) -> String {
    let file = path + "/" + name
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw Self.cannotWrite(path, errno)
    }
    return file
  }

  /// Removes one of its folders and all that is in it.
  func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Removes the run's folder and all that is in it.
  func remove() {
    remove(path)
  }

  private static func cannotWrite(_ folder: String, _ code: Int32) -> LessonKitError {
    let cure =
      switch code {
      case ENOSPC, EDQUOT: "Free some space there, or set TMPDIR to a folder on another disk."
      default: "Set TMPDIR to a folder that you may write to."
      }
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return LessonKitError(
      .environment, "No folder for the examples' files could be made in \(folder): \(reason). \(cure)")
  }
}
