// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of 64 MiB to be sent: one line of 64 bytes, over and over.
enum LargeFile {
  static let line =
    "This is a line of the large file; it has sixty-four bytes, ok. \n"
  static let lines = 1 << 20
  static let size = lines * 64

  /// Makes it. A smaller one has fewer lines.
  static func make(
    in folder: URL, lines: Int = LargeFile.lines
  ) throws -> URL {
    let file = folder.appendingPathComponent("upload-\(lines)")
    let block = Data(String(repeating: line, count: 1024).utf8)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    for _ in 0..<(lines / 1024) { try handle.write(contentsOf: block) }
    try handle.close()
    return file
  }
}
