// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Short words for streams, whose calls may wait.
extension InputStream {
  /// One piece as text: empty at the end, nil when nothing can be read.
  func get(_ limit: Int) -> String? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(&bytes, maxLength: limit)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// So many bytes as text, or less at the end.
  func all(_ count: Int) -> String {
    var text = ""
    while text.utf8.count < count, let piece = get(count - text.utf8.count), !piece.isEmpty { text += piece }
    return text
  }

  /// One large piece for `take`: its length, 0 at the end, nil when nothing can be read.
  func fill(_ take: (UnsafeRawBufferPointer) -> Void) -> Int? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 100_000) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = read(start, maxLength: buffer.count)
      guard count >= 0 else { return nil }
      take(UnsafeRawBufferPointer(start: start, count: count))
      return count
    }
  }
}

extension OutputStream {
  /// How much of the text was taken.
  func put(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in bytes.baseAddress.map { write($0, maxLength: bytes.count) } ?? 0 }
  }
}
