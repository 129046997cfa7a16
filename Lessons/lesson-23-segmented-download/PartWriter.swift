// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI

/// Writes one part at its place in the file, through a handle of its own.
final class PartWriter {
  private let part: FilePart
  private let handle: FileHandle
  private var written: Int64 = 0

  init(_ part: FilePart, in file: URL) throws {
    (self.part, handle) = (part, try FileHandle(forWritingTo: file))
    try handle.seek(toOffset: UInt64(part.start))
  }

  func check(_ answer: URLResponse) throws { try part.check(answer) }

  func write(_ data: Data) throws {
    written += Int64(data.count)
    guard written <= part.count ?? .max else {
      throw URLError(.badServerResponse)
    }
    try handle.write(contentsOf: data)
  }

  /// Closes the handle; fails unless all of the part was written.
  func finish() throws {
    try handle.close()
    guard written == part.count ?? written else {
      throw URLError(.networkConnectionLost)
    }
  }

  /// Closes the handle, whatever was written.
  func close() { try? handle.close() }
}
