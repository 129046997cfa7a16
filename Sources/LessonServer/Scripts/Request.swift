// SPDX-License-Identifier: Apache-2.0

/// A request as a route's function gets it: head and, where the route reads it first, what its body was.
public struct Request: Sendable {
  /// Line and fields.
  public let head: RequestHead
  /// Which connection it came on; the log knows it by the same number.
  public let connection: Int
  /// Which request of its connection it is; the first is 1.
  public let turn: Int
  /// How many bytes the body has, without the chunked coding.
  public let bodyBytes: Int64
  /// Their `BodyChecksum`.
  public let bodyChecksum: UInt64

  /// The value of the first query item of this name, or nil.
  public subscript(query name: String) -> String? { head.query.first { $0.name == name }?.value }
}
