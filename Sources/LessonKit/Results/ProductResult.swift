// SPDX-License-Identifier: Apache-2.0

/// What an example made, compared with a reference that the runner made.
public struct ProductResult: Codable, Sendable, Hashable {
  /// What kind of thing it is.
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

  /// What the comparison says.
  public enum Comparison: String, Codable, Sendable, Hashable {
    /// The very bytes, or the very line.
    case equal
    /// Something else.
    case different
    /// Nothing was made.
    case missing
  }

  /// What kind of thing it is.
  public var kind: Kind
  /// The file's path in the example's folder, the expected line, or the number of the load or request, from 1.
  public var name: String
  /// How many bytes there are.
  public var bytes: Int
  /// How many bytes the reference has.
  public var expectedBytes: Int
  /// What the comparison says.
  public var comparison: Comparison

  /// A result as given.
  public init(kind: Kind, name: String, bytes: Int, expectedBytes: Int, comparison: Comparison) {
    self.kind = kind
    self.name = name
    self.bytes = bytes
    self.expectedBytes = expectedBytes
    self.comparison = comparison
  }
}
