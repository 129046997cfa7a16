// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import LessonKit

@Suite struct FilePiecesTests {
  private static let size: Int64 = 300_000
  private static let seam: Int64 = 100_001

  private static func bytes(_ version: UInt64, _ range: Range<Int64>) -> [UInt8] {
    SeededBody(seed: 4 + version).bytes(range)
  }

  private static func request(_ status: Int, _ range: String? = nil, method: String = "GET") throws -> RequestSeen {
    var fields: [String: Any] = [
      "method": method, "target": "/body", "version": "HTTP/1.1", "fields": [String: String](), "bodyBytes": 0,
      "bodyChecksum": "", "status": status, "bytesSent": 0, "socket": 1, "began": 0,
    ]
    fields["range"] = range
    return try JSONDecoder().decode(RequestSeen.self, from: JSONSerialization.data(withJSONObject: fields))
  }

  /// The pieces of a file of these bytes.
  private static func pieces(_ bytes: [UInt8], _ requests: [RequestSeen]) throws -> [FilePiece]? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return FilePieces(of: requests, seed: 5)?.pieces(of: file.path)
  }

  @Test(arguments: [UInt64(1), 2]) func `the rest by a range is a piece of its own, of whatever version it is`(
    _ version: UInt64
  ) throws {
    let file = Self.bytes(1, 0..<Self.seam) + Self.bytes(version, Self.seam..<Self.size)
    let pieces = try Self.pieces(file, [Self.request(200), Self.request(206, "bytes=\(Self.seam)-")])
    #expect(
      pieces == [
        FilePiece(began: 0, ended: 100_001, version: 1, offset: 0, request: 1),
        FilePiece(began: 100_001, ended: 300_000, version: Int(version), offset: 100_001, request: 2),
      ])
  }

  @Test func `a whole answer that was appended lies out of place`() throws {
    let file = Self.bytes(1, 0..<Self.seam) + Self.bytes(1, 0..<Self.size)
    let pieces = try Self.pieces(file, [Self.request(200), Self.request(200, "bytes=\(Self.seam)-")])
    #expect(
      pieces == [
        FilePiece(began: 0, ended: 100_001, version: 1, offset: 0, request: 1),
        FilePiece(began: 100_001, ended: 400_001, version: 1, offset: 0, request: 2),
      ])
  }

  @Test(arguments: [UInt64(1), 2]) func `a file that begins anew is one piece of the last answer`(
    _ version: UInt64
  ) throws {
    let pieces = try Self.pieces(
      Self.bytes(version, 0..<Self.size), [Self.request(200), Self.request(200, "bytes=\(Self.seam)-")])
    #expect(pieces == [FilePiece(began: 0, ended: 300_000, version: Int(version), offset: 0, request: 2)])
  }

  @Test func `parts that came at once are put together, and bytes that no answer had are of no version`() throws {
    var file = Self.bytes(1, 0..<Self.size)
    for place in 200_000..<300_000 { file[place] = 0 }
    let ranges = ["bytes=100000-199999", "bytes=0-99999", "bytes=200000-299999"]
    let pieces = try Self.pieces(file, ranges.map { try Self.request(206, $0) })
    #expect(pieces?.map(\.version) == [1, 1, nil])
    #expect(pieces?.map(\.request) == [2, 1, nil])
    #expect(pieces?.map(\.ended) == [100_000, 200_000, 300_000])
  }

  @Test func `one answer alone makes no pieces, nor do answers for two addresses`() throws {
    let other = try Self.request(200)
    var elsewhere = other
    elsewhere.target = "/other"
    #expect(try FilePieces(of: [Self.request(200, method: "HEAD"), other], seed: 5) == nil)
    #expect(FilePieces(of: [other, elsewhere], seed: 5) == nil)
    #expect(try Self.pieces([], [Self.request(200), Self.request(200)])?.isEmpty == true)
  }
}
