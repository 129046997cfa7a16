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

  /// The path of a file of this size with lines of 80 bytes, their ends included; made once.
  func makeLines(_ size: Int64) throws -> String {
    let path = path("lines-\(size)")
    let line = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 2).prefix(79) + "\n"
    if !FileManager.default.fileExists(atPath: path) {
      try String(repeating: String(line), count: Int(size) / 80).write(toFile: path, atomically: false, encoding: .utf8)
    }
    return path
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
