// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules

/// The hash of a body that lies in a file, for a login that protects the body, too (RFC 7616 section 3.4.3).
struct FileHash: Sendable {
  /// In hexadecimal digits; nil where the file could not be read.
  var digits: String?
}

extension MessageDigest {
  private static let piece = 64 * 1024

  /// The hash of a file's bytes behind so many, in hexadecimal digits; nil where they cannot be read. It blocks.
  func hex(ofFileAt path: String, from offset: Int64) -> String? {
    guard offset >= 0, let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    do {
      try file.seek(toOffset: UInt64(offset))
      return try hex { () throws -> [UInt8]? in
        guard let piece = try file.read(upToCount: Self.piece), !piece.isEmpty else { return nil }
        return Array(piece)
      }
    } catch {
      return nil
    }
  }
}
