// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// A folder for what archives hold, which goes with its last owner.
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

  private static func make(_ folder: URL) throws(LessonKitError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LessonKitError(
        .environment, "The file \(folder.path) cannot be written. Set TMPDIR to a folder that you may write to.")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
