// SPDX-License-Identifier: Apache-2.0

/// The product of an example, compared with a reference that the runner made.
public struct ProductResult: Codable, Sendable, Hashable {
  /// The kind of product.
  public enum Kind: String, Codable, Sendable, Hashable {
    /// The body of one load, as its callbacks were given it.
    case body
    /// A file in the example's folder.
    case file
    /// A line that the program printed.
    case line
    /// The body that the server received with one request.
    case received
  }

  /// The result of the comparison.
  public enum Comparison: String, Codable, Sendable, Hashable {
    /// The very bytes, or the very line.
    case equal
    /// Something else.
    case different
    /// Nothing was made.
    case missing
  }

  /// The kind of product.
  public var kind: Kind
  /// The file's path in the example's folder, the expected line, or the number of the load or request, from 1.
  public var name: String
  /// How many bytes there are.
  public var bytes: Int
  /// How many bytes the reference has.
  public var expectedBytes: Int
  /// The result of the comparison.
  public var comparison: Comparison
  /// Of a file that more than one answer of the server went into: its pieces in their order. Nil for any other product, and in
  /// reports of former versions.
  public var pieces: [FilePiece]?

  /// A result as given.
  public init(kind: Kind, name: String, bytes: Int, expectedBytes: Int, comparison: Comparison) {
    self.kind = kind
    self.name = name
    self.bytes = bytes
    self.expectedBytes = expectedBytes
    self.comparison = comparison
  }
}

/// Bytes of a file that follow each other and that one answer of the server brought.
public struct FilePiece: Codable, Sendable, Hashable {
  /// The first byte's place in the file.
  public var began: Int
  /// The place behind the last byte.
  public var ended: Int
  /// The version of the server's file that has these very bytes: 1, or 2 after a change; nil where neither has them.
  public var version: Int?
  /// The first byte's place in that version: where it differs from `began`, the piece lies in the wrong place.
  public var offset: Int
  /// The number of the request, from 1, in whose answer these bytes came; nil where no answer had them.
  public var request: Int?

  /// A piece as given.
  public init(began: Int, ended: Int, version: Int?, offset: Int, request: Int?) {
    self.began = began
    self.ended = ended
    self.version = version
    self.offset = offset
    self.request = request
  }
}
