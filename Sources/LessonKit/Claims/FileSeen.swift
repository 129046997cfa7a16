// SPDX-License-Identifier: Apache-2.0

/// A file that an example left in its folder.
public struct FileSeen: Sendable, Hashable {
  /// Its path below the folder.
  public var path: String
  /// Its size.
  public var bytes: Int
  /// True if it is the server's body, byte by byte.
  public var isBody: Bool
  /// True if it ends with the server's body, whatever stands before.
  public var endsWithBody: Bool

  /// The checksum of its bytes, in 16 hexadecimal digits.
  public var checksum: String
}
