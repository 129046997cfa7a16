// SPDX-License-Identifier: Apache-2.0
import FlyingSocks
import Foundation

/// Reads one request from a connection.
struct WebReader: Sendable {
  private static let end: [UInt8] = [13, 10, 13, 10]

  private let socket: AsyncSocket

  init(_ socket: AsyncSocket) {
    self.socket = socket
  }

  /// The request, its form included.
  ///
  /// - Throws: `WebRefusal` for what is no request of ours or too large; a `SocketError` where the browser went away.
  func request() async throws -> WebRequest {
    var bytes: [UInt8] = []
    var searched = 0
    while true {
      if let end = Self.endOfHead(bytes, from: max(0, searched - 3)) {
        return try await request(head: bytes[..<end], rest: bytes[(end + Self.end.count)...])
      }
      guard bytes.count < WebRequest.mostHead else { throw WebRefusal(.headTooLarge) }
      searched = bytes.count
      bytes += try await socket.read(atMost: WebRequest.mostHead - bytes.count)
    }
  }

  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= end.count else { return nil }
    return (start...(bytes.count - end.count)).first { bytes[$0..<($0 + end.count)].elementsEqual(end) }
  }

  private func request(head: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) async throws -> WebRequest {
    var request = try WebRequest(head: head)
    let length = try request.bodyLength()
    var body = Array(rest)
    while body.count < length { body += try await socket.read(atMost: length - body.count) }
    guard let text = String(bytes: body.prefix(length), encoding: .utf8) else { throw WebRefusal(.badRequest) }
    request.form = WebRequest.parameters(text)
    return request
  }
}
