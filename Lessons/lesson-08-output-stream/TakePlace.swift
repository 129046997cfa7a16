// SPDX-License-Identifier: Apache-2.0
import Foundation

extension URL {
  /// Puts this file in the place of another, in one step: whatever happens,
  /// the old file or the new one is there.
  func takePlace(of file: URL) throws {
    let part = file.appendingPathExtension("part")
    try? FileManager.default.removeItem(at: part)
    try FileManager.default.moveItem(at: self, to: part)  // may be a copy
    guard rename(part.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
