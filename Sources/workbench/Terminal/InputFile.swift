// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Files that are named on the command line.
enum InputFile {
  /// The whole file.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`.
  static func contents(_ path: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw LessonKitError(.unreadable, "The file “\(path)” cannot be read. Is it there, and may you read it?")
    }
  }
}
