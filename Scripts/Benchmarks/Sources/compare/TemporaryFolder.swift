// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A folder for bodies, in TMPDIR, removed at the end.
struct TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(getpid())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The path of a file of this size; made once, of bytes that are not all the same.
  func makeBody(_ size: Int64) throws -> String {
    let file = url.appendingPathComponent("send-\(size)")
    guard !FileManager.default.fileExists(atPath: file.path) else { return file.path }
    let piece = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw Failure(description: "\(file.path) could not be written.")
    }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    for _ in 0..<size >> 20 { try handle.write(contentsOf: piece) }
    return file.path
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
