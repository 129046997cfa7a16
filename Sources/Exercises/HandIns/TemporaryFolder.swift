// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// A folder for what archives hold, and for what edits make, which goes with its last owner.
final class TemporaryFolder: Sendable {
  let url: URL

  /// - Throws: `LessonKitError` with code `environment` when it cannot be made.
  init() throws(LessonKitError) {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-hand-in-\(UUID())")
    try Self.make(url)
  }

  /// A new folder within.
  ///
  /// - Throws: as `init`.
  func makeFolder(_ name: String) throws(LessonKitError) -> URL {
    let folder = url.appendingPathComponent(name, isDirectory: true)
    try Self.make(folder)
    return folder
  }

  /// A new file within.
  ///
  /// - Throws: as `init`.
  func makeFile(_ name: String, _ text: String) throws(LessonKitError) -> URL {
    let file = url.appendingPathComponent(name)
    do {
      try Data(text.utf8).write(to: file)
    } catch {
      throw Self.cannotWrite(file)
    }
    return file
  }

  private static func make(_ folder: URL) throws(LessonKitError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw cannotWrite(folder)
    }
  }

  private static func cannotWrite(_ place: URL) -> LessonKitError {
    LessonKitError(
      .environment, "The file \(place.path) cannot be written. Set TMPDIR to a folder that you may write to.")
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
