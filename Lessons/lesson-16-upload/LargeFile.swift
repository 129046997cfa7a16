// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of 64 MiB to be sent.
enum LargeFile {
  static let size = 64 << 20

  static func make(in folder: URL) -> URL {
    let file = folder.appendingPathComponent("upload")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    try? FileHandle(forWritingAtPath: file.path)?.truncate(atOffset: UInt64(size))
    return file
  }
}
