// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file that is written piece by piece beside the one that is wanted, and
/// takes its place when it is whole.
final class NewFile {
  private let file: URL
  private let part: URL
  private var handle: FileHandle?

  init(_ file: URL) {
    (self.file, part) = (file, file.appendingPathExtension("part"))
  }

  // begin new-file
  /// Makes the file, empty, if the answer's status is 200.
  func open(for status: Int?) throws {
    guard status == 200 else { throw URLError(.badServerResponse) }
    try handle?.close()
    try Data().write(to: part)
    handle = try FileHandle(forWritingTo: part)  // ←
  }

  func write(_ data: Data) throws {
    try handle?.write(contentsOf: data)  // ←
  }

  /// Puts the file in the old one's place, in one step.
  func finish() throws {
    try handle?.close()
    handle = nil
    guard rename(part.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Closes and removes it, unless it is finished.
  func discard() {
    guard let handle else { return }
    try? handle.close()
    self.handle = nil
    try? FileManager.default.removeItem(at: part)
  }
  // end new-file
}
