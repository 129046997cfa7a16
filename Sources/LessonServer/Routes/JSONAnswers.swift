// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The answer of `/echo`: the request as the server received it.
public struct EchoAnswer: Sendable, Codable, Hashable {
  /// The method, as sent.
  public var method: String
  /// Path and query, as sent.
  public var target: String
  /// The version that was spoken.
  public var version: String
  /// All header fields in order, their bytes read as Latin-1.
  public var fields: [HeaderField]
  /// Body bytes received, after removing the chunked coding.
  public var bodyBytes: Int64
  /// Their `BodyChecksum`.
  public var bodyChecksum: UInt64

  init(_ request: Request) {
    method = request.head.method
    target = request.head.target
    version = request.head.version
    fields = request.head.fields
    bodyBytes = request.bodyBytes
    bodyChecksum = request.bodyChecksum
  }
}

/// The answer of `/upload`: how much arrived.
public struct UploadAnswer: Sendable, Codable, Hashable {
  /// Body bytes received, after removing the chunked coding.
  public var bytes: Int64
  /// Their `BodyChecksum`.
  public var checksum: UInt64

  /// An answer that says this.
  public init(bytes: Int64, checksum: UInt64) {
    self.bytes = bytes
    self.checksum = checksum
  }
}

extension Response {
  static func json(_ value: some Encodable) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return Response(500) }
    return Response(fields: [HeaderField("Content-Type", "application/json")], body: .bytes(Array(data)))
  }
}
